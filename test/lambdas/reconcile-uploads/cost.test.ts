import { BatchWriteItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { createDueUploads } from '../../../lambdas/reconcile-uploads/due-uploads.ts';
import { reconcile } from '../../../lambdas/reconcile-uploads/reconcile.ts';
import { createTables } from '../../../lambdas/shared/recording/tables.ts';
import { filesTable } from '../../../storage/file.ts';
import { putIssued, uploadsTable } from '../../../storage/upload.ts';
import { dueShards } from '../../../storage/upload-due.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { recordingLog } from '../support/log.ts';

/** What a run costs follows what is due, and not how many uploads there ever were. */

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
beforeAll(async () => {
  dynamodb = await startDynamodb({ files: filesTable, uploads: uploadsTable });
});
afterAll(() => dynamodb.stop());

let last = 0;
const newId = () => `019c1b2e-7d3a-7000-8f43-${(++last).toString(16).padStart(12, '0')}`;

const issued = (uploadId: string, expiresAt: string) =>
  putIssued({
    upload_id: uploadId,
    file_id: 'file',
    organisation_id: 'acme',
    client_id: 'client',
    key: `uploads/${uploadId}`,
    issued_at: '2026-01-31T08:00:00.000Z',
    expires_at: expiresAt,
  }).Item;

/** Uploads that were completed and settled long ago. */
async function addSettled(count: number): Promise<void> {
  for (let done = 0; done < count; done += 25) {
    const requests = Array.from({ length: Math.min(25, count - done) }, () => {
      const { due_shard: _shard, due_at: _at, ...item } = issued(newId(), '2026-01-01T09:00:00.000Z') ?? {};
      return { PutRequest: { Item: { ...item, state: { S: 'cancelled' }, cancelled_at: { S: 'then' } } } };
    });
    await dynamodb.client.send(new BatchWriteItemCommand({ RequestItems: { uploads: requests } }));
  }
}

async function addDue(count: number): Promise<void> {
  const requests = Array.from({ length: count }, () => ({
    PutRequest: { Item: issued(newId(), '2026-01-31T09:00:00.000Z') },
  }));
  await dynamodb.client.send(new BatchWriteItemCommand({ RequestItems: { uploads: requests } }));
}

/** Counts the calls of a client, and the items that DynamoDB read for them. */
function counting(client: DynamoDBClient) {
  const counts = { calls: 0, read: 0 };
  client.middlewareStack.add(
    (next) => async (input) => {
      const result = await next(input);
      const output = result.output as { readonly ScannedCount?: number; readonly Item?: unknown };
      counts.calls += 1;
      counts.read += output.ScannedCount ?? (output.Item === undefined ? 0 : 1);
      return result;
    },
    { step: 'initialize', name: 'counting', override: true },
  );
  return counts;
}

async function costOfRun(at: string) {
  const counts = counting(dynamodb.client);
  const { log } = recordingLog();
  const summary = await reconcile({
    tables: createTables(dynamodb.client, { files: 'files', uploads: 'uploads' }),
    due: createDueUploads(dynamodb.client, 'uploads'),
    bucket: {} as never,
    readFirstVersion: async () => undefined,
    announce: async () => undefined,
    log,
    now: () => new Date(at),
    hasTime: () => true,
  });
  dynamodb.client.middlewareStack.remove('counting');
  return { ...counts, expired: summary.expired };
}

test('a run reads as much with a thousand settled uploads as with ten', async () => {
  await addSettled(10);
  await addDue(5);
  const withTen = await costOfRun('2026-01-31T12:00:00.000Z');
  await addSettled(990);
  await addDue(5);
  const withThousand = await costOfRun('2026-01-31T12:00:00.000Z');
  // One query for each partition; then a read and a write for each upload that is due.
  expect(withTen).toEqual({ calls: dueShards.length + 2 * 5, read: 2 * 5, expired: 5 });
  expect(withThousand).toEqual(withTen);
});

test('a run without anything due reads nothing', async () => {
  expect(await costOfRun('2026-01-31T12:00:00.000Z')).toEqual({
    calls: dueShards.length,
    read: 0,
    expired: 0,
  });
});
