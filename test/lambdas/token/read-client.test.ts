import { createReadClient } from '../../../lambdas/token/read-client.ts';
import { clientsTable, putNewClient, type StoredClient } from '../../../storage/client.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { noon } from '../../support/signing-keys.ts';

const dynamodb = await startDynamodb({ clients: clientsTable });

const at = noon.toISOString();
const secret = { secret_id: '1', sha256: 'ab'.repeat(32), created_at: at };
const client: StoredClient = {
  client_id: 'client',
  organisation_id: 'acme',
  name: 'Nightly export',
  status: 'active',
  scopes: ['volume:read'],
  allow_from: ['192.0.2.0/24'],
  secrets: [secret, { ...secret, secret_id: '2', ends_at: at }],
  created_at: at,
};

test('a client is read with its secrets, and its state from the same item', async () => {
  const revoked: StoredClient = { ...client, client_id: 'revoked', status: 'revoked', revoked_at: at };
  const suspended: StoredClient = { ...client, client_id: 'suspended', suspended_at: at };
  for (const one of [client, revoked, suspended]) {
    await dynamodb.client.putItem({ TableName: 'clients', ...putNewClient(one) });
  }
  const read = createReadClient(dynamodb.client, 'clients');
  const { sha256 } = secret;
  const found = {
    organisation_id: 'acme',
    status: 'active',
    scopes: ['volume:read'],
    allow_from: ['192.0.2.0/24'],
    secrets: [
      { secret_id: '1', sha256 },
      { secret_id: '2', sha256, ends_at: at },
    ],
  };
  expect(await read('client')).toEqual(found);
  expect(await read('revoked')).toEqual({ ...found, status: 'revoked' });
  expect(await read('suspended')).toEqual({ ...found, suspended_at: at });
  expect(await read('unknown')).toBeUndefined();
  const { Item } = putNewClient({ ...revoked, client_id: 'client' });
  await dynamodb.client.putItem({ TableName: 'clients', Item });
  expect(await read('client')).toEqual({ ...found, status: 'revoked' });
});
