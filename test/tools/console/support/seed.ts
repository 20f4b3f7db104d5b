import { addSecret } from '../../../../tools/operator/client-secrets.ts';
import { type ClientWithSecret, createClient } from '../../../../tools/operator/clients.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { requestToken } from '../../../../tools/operator/request-token.ts';
import type { FakeAws } from '../../../support/fake-aws.ts';
import type { RunningStack } from '../../../support/running-stack.ts';

/** A name with everything that must not act on a page. */
export const hostileName = '<b onclick=alert(1)>Name</b> "quoted" & \u202egnp.exe';

/** Creates a client as an operator does. */
export function seedClient(deployment: Deployment, name = 'Nightly export'): Promise<ClientWithSecret> {
  return createClient(deployment, { organisationId: 'acme', name, scopes: ['volume:read'] });
}

/** Creates a client with two secrets. */
export async function seedClientWithTwoSecrets(deployment: Deployment): Promise<ClientWithSecret> {
  const { client_id } = await seedClient(deployment, 'With two secrets');
  return addSecret(deployment, client_id);
}

/** Publishes signing keys, some time after a rotation. */
export function seedSigningKeys(aws: FakeAws, now = Date.now()): void {
  const at = (minutes: number) => new Date(now + minutes * 60_000).toISOString();
  const keyOf = (kid: string) => ({
    jwk: { kty: 'EC', crv: 'P-256', x: 'xx', y: 'yy', kid, alg: 'ES256', use: 'sig' },
  });
  aws.keySet = JSON.stringify({
    keys: [
      { ...keyOf('current-kid'), state: 'current', since: at(-20) },
      { ...keyOf('next-kid'), state: 'next', since: at(-25), usable_from: at(-15) },
      { ...keyOf('retired-kid'), state: 'retired', since: at(-20), until: at(45) },
    ],
  });
}

/** Lets clients of a stack get tokens, one of them in vain. */
export async function seedActivity(stack: RunningStack): Promise<void> {
  const { client_id: clientId, client_secret: clientSecret } = await createClient(stack.deployment, {
    organisationId: 'acme',
    name: 'Test',
    scopes: ['sync:create'],
  });
  await requestToken(stack.deployment, { clientId, clientSecret, scopes: [] });
  const wrong = { clientId, clientSecret: clientSecret.replace(/.$/, ''), scopes: [] };
  await requestToken(stack.deployment, wrong);
  await stack.eventsSettled();
}
