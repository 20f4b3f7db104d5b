import { revokeClient } from '../../../cli/operations/clients.ts';
import { createFile } from '../../../cli/operations/files.ts';
import type { FakeAws } from '../../support/fake-aws.ts';
import { hostileName, seedClient, seedClientWithTwoSecrets, seedSigningKeys } from './seed.ts';
import { seedFileWithContent, seedUpload } from './seed-uploads.ts';
import type { ConsoleWithAws } from './serve.ts';

/** Ids of what {@link seedWorld} makes. */
export interface World {
  readonly clientId: string;
  readonly clientWithTwoSecrets: string;
  readonly secretId: string;
  readonly revokedClient: string;
  /** By state, and `superseded`. */
  readonly uploads: Readonly<Record<'issued' | 'completed' | 'superseded' | 'cancelled' | 'expired', string>>;
}

/** Makes something of every kind, so that every page has something to show. */
export async function seedWorld({ aws }: ConsoleWithAws): Promise<World> {
  const { deployment } = aws;
  seedSigningKeys(aws);
  const { client_id, secret_id } = await seedClient(deployment);
  const two = await seedClientWithTwoSecrets(deployment);
  const revoked = await seedClient(deployment, hostileName);
  await revokeClient(deployment, revoked.client_id);
  return {
    clientId: client_id,
    clientWithTwoSecrets: two.client_id,
    secretId: secret_id,
    revokedClient: revoked.client_id,
    uploads: await seedFiles(aws, client_id),
  };
}

/** Makes a file with a history, one whose content is a form, one without syncing, and events that were not recorded. */
async function seedFiles(aws: FakeAws, clientId: string): Promise<World['uploads']> {
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
  await createFile(aws.deployment, {
    organisationId: 'acme',
    name: 'Prices of last year',
    syncEnabled: false,
    fileId: 'prices',
  });
  await seedUpload(aws, { fileId: 'prices', clientId });
  await seedUpload(aws, { fileId: 'prices', clientId, state: 'expired' });
  aws.queue.set('event-1', '{}');
  return { issued, completed, superseded, cancelled, expired };
}

/**
 * Every page, with a name for its picture. Tests check each with axe, light and dark, and at 320 pixels; the screenshots
 * show each.
 */
export function pagesOf(world: World): readonly { readonly name: string; readonly path: string }[] {
  const client = `/clients/${world.clientId}`;
  return [
    { name: 'overview-unreadable', path: '/overview' },
    { name: 'clients', path: '/clients' },
    { name: 'clients-none-match', path: '/clients?q=nothing' },
    { name: 'client-new', path: '/clients/new' },
    { name: 'client', path: client },
    { name: 'client-revoked', path: `/clients/${world.revokedClient}` },
    { name: 'client-name', path: `${client}/name` },
    { name: 'client-scopes', path: `${client}/scopes` },
    { name: 'client-revoke', path: `${client}/revoke` },
    { name: 'client-delete', path: `${client}/delete` },
    { name: 'client-secrets', path: `${client}/secrets` },
    { name: 'client-secrets-two', path: `/clients/${world.clientWithTwoSecrets}/secrets` },
    { name: 'client-secret-rotate', path: `${client}/secrets/rotate` },
    { name: 'client-secret-remove', path: `${client}/secrets/${world.secretId}/remove` },
    ...pagesOfFiles(world),
    { name: 'signing-keys', path: '/signing-keys' },
    { name: 'signing-key', path: '/signing-keys/current-kid' },
    { name: 'signing-key-rotate', path: '/signing-keys/rotate' },
    { name: 'signing-key-revoke', path: '/signing-keys/current-kid/revoke' },
    { name: 'signing-key-revoke-all', path: '/signing-keys/revoke-all' },
    { name: 'search', path: '/search?q=nothing' },
    { name: 'not-found', path: '/clients/none' },
  ];
}

function pagesOfFiles({ uploads }: World) {
  return [
    { name: 'files', path: '/files' },
    { name: 'files-none-match', path: '/files?status=deleted' },
    { name: 'file-new', path: '/files/+new' },
    { name: 'file', path: '/files/orders' },
    { name: 'file-form', path: '/files/form' },
    { name: 'file-disabled', path: '/files/prices' },
    { name: 'file-name', path: '/files/orders/name' },
    { name: 'file-sync-close', path: '/files/orders/sync/close' },
    { name: 'file-delete', path: '/files/orders/delete' },
    { name: 'uploads', path: '/uploads' },
    { name: 'uploads-wrong-filter', path: '/uploads?file=none&since=yesterday' },
    { name: 'uploads-none-match', path: '/uploads?file=orders&until=2026-01-01' },
    { name: 'upload-issued', path: `/uploads/${uploads.issued}` },
    { name: 'upload-completed', path: `/uploads/${uploads.completed}` },
    { name: 'upload-superseded', path: `/uploads/${uploads.superseded}` },
    { name: 'upload-cancelled', path: `/uploads/${uploads.cancelled}` },
    { name: 'upload-expired', path: `/uploads/${uploads.expired}` },
    { name: 'upload-cancel', path: `/uploads/${uploads.issued}/cancel` },
    { name: 'upload-cancel-refused', path: `/uploads/${uploads.completed}/cancel` },
    { name: 'uploads-replay', path: '/uploads/replay' },
    { name: 'organisation', path: '/organisations/acme' },
    { name: 'organisation-delete', path: '/organisations/acme/delete' },
  ];
}
