import { type ClientWithSecret, createClient } from '../../../../tools/operator/clients/client.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { createFile } from '../../../../tools/operator/files/file.ts';
import type { Aws } from '../../../support/aws.ts';

/** Name with markup, quotes and invisible characters, none of which may affect a page. */
export const hostileName = '<b onclick=alert(1)>Name</b> "quoted" & \u202egnp\u3164.exe';

/** Creates a client as an operator does. */
export function seedClient(deployment: Deployment, name = 'Nightly export'): Promise<ClientWithSecret> {
  return createClient(deployment, { organisationId: 'acme', name, scopes: ['volume:read'] });
}

/** Creates a file as an operator does. Default: with syncing enabled, and its id as its name. */
export const seedFile = (
  deployment: Deployment,
  fileId: string,
  changes: Partial<Parameters<typeof createFile>[1]> = {},
) => createFile(deployment, { organisationId: 'acme', name: fileId, syncEnabled: true, fileId, ...changes });

/** Publishes signing keys in their state 20 minutes after a rotation. */
export async function seedSigningKeys(
  aws: Aws,
  currentKid = 'current-kid',
  usableInMinutes = -15,
): Promise<void> {
  const at = (minutes: number) => new Date(Date.now() + minutes * 60_000).toISOString();
  const keyOf = (kid: string) => ({
    jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid, alg: 'ES256', use: 'sig' },
  });
  const keySet = {
    keys: [
      { ...keyOf('next-kid'), state: 'next', since: at(-25), usable_from: at(usableInMinutes) },
      { ...keyOf('retired-kid'), state: 'retired', since: at(-20), until: at(45) },
      { ...keyOf(currentKid), state: 'current', since: at(-20) },
    ],
  };
  await aws.publishKeys(JSON.stringify(keySet));
}
