import { type AttributeValue, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createReadFileAccess } from '../../../lambdas/sync/tables.ts';
import { createReadClient } from '../../../lambdas/token/read-client.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { noon } from '../../support/signing-keys.ts';

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
beforeAll(async () => {
  dynamodb = await startDynamodb({ clients: 'client_id', files: 'file_id' });
});
afterAll(() => dynamodb.stop());

const text = (S: string) => ({ S });
const digest = 'ab'.repeat(32);
const client = {
  client_id: text('client'),
  organisation_id: text('acme'),
  name: text('Nightly export'),
  status: text('active'),
  scopes: { L: [text('volume:read')] },
  secrets: {
    L: [
      { M: { secret_id: text('1'), sha256: text(digest), created_at: text(noon.toISOString()) } },
      { M: { secret_id: text('2'), sha256: text(digest), ends_at: text(noon.toISOString()) } },
    ],
  },
  created_at: text(noon.toISOString()),
};

const put = (TableName: string, Item: Record<string, AttributeValue>) =>
  dynamodb.client.send(new PutItemCommand({ TableName, Item }));

describe('a client in the table', () => {
  const read = (clientId: string) => createReadClient(dynamodb.client, 'clients')(clientId);

  test('is read with its live secrets', async () => {
    await put('clients', client);
    const bytes = Buffer.alloc(32, 0xab);
    expect(await read('client')).toEqual({
      organisationId: 'acme',
      active: true,
      scopes: ['volume:read'],
      secrets: [{ digest: bytes }, { digest: bytes, endsAt: noon.getTime() }],
    });
  });

  test('is not active once revoked', async () => {
    await put('clients', { ...client, client_id: text('revoked'), status: text('revoked') });
    expect(await read('revoked')).toMatchObject({ active: false });
  });

  test('is unknown when there is none', async () => {
    expect(await read('unknown')).toBeUndefined();
  });

  test('that is damaged is refused by the name of the attribute, without its value', async () => {
    const digests = [
      'hush',
      `x${digest}`,
      `${digest}x`,
      `${digest}ab`,
      digest.slice(2),
      digest.toUpperCase(),
    ];
    for (const damage of [
      { status: text('hush') },
      { scopes: { L: [{ N: '1' }] } },
      { secrets: text('hush') },
      ...digests.map((wrong) => ({ secrets: { L: [{ M: { secret_id: text('1'), sha256: text(wrong) } }] } })),
    ]) {
      await put('clients', { ...client, client_id: text('damaged'), ...damage });
      await expect(read('damaged')).rejects.toThrow(
        new RegExp(`^The stored client is not as expected at: ${Object.keys(damage)[0]}`),
      );
      await expect(read('damaged')).rejects.not.toThrow('hush');
    }
  });
});

describe('a file in the table', () => {
  test('is read as far as sync needs it', async () => {
    await put('files', { file_id: text('a'), organisation_id: text('acme'), sync_enabled: { BOOL: true } });
    const read = createReadFileAccess(dynamodb.client, 'files');
    expect(await read('a')).toEqual({ organisation_id: 'acme', sync_enabled: true });
    expect(await read('unknown')).toBeUndefined();
  });
});
