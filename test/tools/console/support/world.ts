import { addSecret, revokeClient } from '../../../../tools/operator/clients/client.ts';
import type { Action } from '../../../../tools/operator/description/action.ts';
import type { Noun } from '../../../../tools/operator/description/noun.ts';
import type { Aws } from '../../../support/aws.ts';
import { hostileName, seedClient, seedFile, seedSigningKeys } from './seed.ts';
import { seedFileWithContent, seedUpload } from './seed-uploads.ts';
import type { ConsoleWithAws } from './serve.ts';

/** Ids of the entities that {@link seedWorld} creates. */
export type World = Awaited<ReturnType<typeof seedWorld>>;

/** Creates entities of every kind, so that no page is empty. */
export async function seedWorld({ aws }: ConsoleWithAws) {
  const { deployment } = aws;
  await seedSigningKeys(aws);
  const { client_id } = await seedClient(deployment);
  const two = await seedClient(deployment, 'With two secrets');
  await addSecret(deployment, two.client_id);
  const revoked = await seedClient(deployment, hostileName);
  await revokeClient(deployment, revoked.client_id);
  return {
    clientId: client_id,
    clientWithTwoSecrets: two.client_id,
    revokedClient: revoked.client_id,
    /** Upload ids by state, and `superseded`. */
    uploads: await seedFiles(aws, client_id),
  };
}

/** Returns the address of the form of an action, for an existing entity. */
export function formOf({ noun, verb, hasEntity }: Action, { clientId, uploads }: World): string {
  const ids: Readonly<Record<Noun, string>> = {
    client: clientId,
    file: 'orders',
    upload: uploads.issued,
    organisation: 'acme',
    request: '',
    'signing-key': 'current-kid',
  };
  return `/${noun}s/${hasEntity ? `${ids[noun]}/${verb}` : `+${verb}`}`;
}

/** Creates a file with a history, a file whose content is a form, and a file with sync disabled. */
async function seedFiles(aws: Aws, clientId: string) {
  const of = { fileId: 'orders', clientId };
  const superseded = await seedUpload(aws, {
    ...of,
    state: 'completed',
    body: 'id\n',
    minutesAgo: 300,
    superseded: true,
  });
  const cancelled = await seedUpload(aws, { ...of, state: 'cancelled', minutesAgo: 200 });
  const expired = await seedUpload(aws, { ...of, state: 'expired' });
  const completed = await seedFileWithContent(aws, { fileId: 'orders', body: 'id,amount\n'.repeat(500) });
  const issued = await seedUpload(aws, of);
  await seedFileWithContent(aws, {
    fileId: 'form',
    name: hostileName,
    body: '--boundary',
    contentType: 'multipart/form-data; boundary=boundary',
  });
  await seedFile(aws.deployment, 'prices', { name: 'Prices of last year', syncEnabled: false });
  await seedUpload(aws, { fileId: 'prices', clientId });
  await seedUpload(aws, { fileId: 'prices', clientId, state: 'expired' });
  return { issued, completed, superseded, cancelled, expired };
}
