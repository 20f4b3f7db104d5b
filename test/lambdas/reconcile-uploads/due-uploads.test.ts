import { setTimeout as sleep } from 'node:timers/promises';
import { BatchWriteItemCommand, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDueUploads } from '../../../lambdas/reconcile-uploads/due-uploads.ts';
import { createReadTogether } from '../../../lambdas/reconcile-uploads/read-together.ts';
import { reconcile } from '../../../lambdas/reconcile-uploads/reconcile.ts';
import { createTables } from '../../../lambdas/shared/recording/recording-tables.ts';
import { filesTable } from '../../../storage/file.ts';
import { putIssued, readUpload, uploadFromItem, uploadsTable } from '../../../storage/upload.ts';
import { dueShards } from '../../../storage/upload-due.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { recordingLog } from '../support/log.ts';

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
beforeAll(async () => {
  dynamodb = await startDynamodb({ files: filesTable, uploads: uploadsTable });
});
afterAll(() => dynamodb.stop());

let last = 0;
/** An id whose upload is in the partition of index 1. */
const newId = () => `019c1310-e400-7000-8f43-${(++last).toString(16).padStart(11, '0')}1`;

const issued = (uploadId: string, expiresAt: string) =>
  putIssued({
    upload_id: uploadId,
    file_id: 'file',
    organisation_id: 'acme',
    client_id: 'client',
    key: `uploads/${uploadId}`,
    issued_at: '2026-01-31T08:00:00.000Z',
    expires_at: expiresAt,
  }).Item ?? {};

async function putAll(items: readonly ReturnType<typeof issued>[]): Promise<void> {
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await dynamodb.client.send(new BatchWriteItemCommand({ RequestItems: { uploads: requests } }));
  }
}

/** Uploads whose URLs expired one second after the other, in another order than the order of their ids. */
async function addDue(count: number): Promise<readonly string[]> {
  const expired = Array.from({ length: count }, (_, index) => ({
    uploadId: newId(),
    expiresAt: new Date(Date.UTC(2026, 0, 31, 9, 0, (index * 7) % count)).toISOString(),
  }));
  await putAll(expired.map(({ uploadId, expiresAt }) => issued(uploadId, expiresAt)));
  return expired
    .toSorted((one, other) => one.expiresAt.localeCompare(other.expiresAt))
    .map(({ uploadId }) => uploadId);
}

async function read(uploadId: string) {
  const command = new GetItemCommand({ TableName: 'uploads', ...readUpload(uploadId) });
  return uploadFromItem((await dynamodb.client.send(command)).Item ?? {});
}

const [at, aMonthLater] = ['2026-01-31T12:00:00.000Z', '2026-03-01T12:00:00.000Z'];

const tables = () =>
  createTables(
    dynamodb.client,
    { files: 'files', uploads: 'uploads' },
    createReadTogether(dynamodb.client, () => sleep(5)),
  );

/** A run that finds nothing in S3. */
const run = (time = at) =>
  reconcile({
    tables: tables(),
    due: createDueUploads(dynamodb.client, 'uploads'),
    bucket: {} as never,
    objects: { find: async () => undefined } as never,
    announce: async () => undefined,
    log: recordingLog().log,
    now: () => new Date(time),
    hasTime: () => true,
    random: () => 0,
  });

describe('due uploads', () => {
  test('are listed page by page, oldest first, each once, and a run does them all', async () => {
    const ids = await addDue(230);
    const due = createDueUploads(dynamodb.client, 'uploads');
    const pages: string[][] = [];
    for await (const page of due.list('1', at)) {
      pages.push(page.map(({ upload_id }) => upload_id));
    }
    expect(pages.map(({ length }) => length)).toEqual([100, 100, 30]);
    expect(pages.flat()).toEqual(ids);

    expect(await run()).toMatchObject({ expired: 230, unchanged: 0, failed: 0, unfinished: false });
    const left = await Promise.all(ids.map(read));
    expect(left.filter(({ expired_at }) => expired_at !== at)).toEqual([]);
    expect(await run()).toMatchObject({ expired: 0, done: 0, unchanged: 0 });
    expect(await run(aMonthLater)).toMatchObject({ done: 230, unchanged: 0 });
  });

  test('are postponed and expired as they were listed, and not when another run was quicker', async () => {
    const due = createDueUploads(dynamodb.client, 'uploads');
    const [uploadId = ''] = await addDue(1);
    const { due_at = '' } = await read(uploadId);
    const [soon, later] = ['2026-01-31T13:00:00.000Z', '2026-01-31T14:00:00.000Z'];
    const dueAt = (time: string) => ({ upload_id: uploadId, due_at: time });
    expect(await tables().postpone(dueAt(due_at), soon)).toBe(true);
    expect(await tables().postpone(dueAt(due_at), later)).toBe(false);
    expect(await due.expire(dueAt(due_at), at, later)).toBe(false);
    expect(await read(uploadId)).toMatchObject({ state: 'issued', due_at: soon });
    expect(await read(uploadId)).not.toHaveProperty('expired_at');

    expect(await due.expire(dueAt(soon), at, later)).toBe(true);
    expect(await read(uploadId)).toMatchObject({ state: 'issued', expired_at: at, due_at: later });
    expect(await due.endUnused(dueAt(later), { expired_at: later })).toBe(true);
    expect(await read(uploadId)).toMatchObject({ state: 'issued', expired_at: at });
    expect(await read(uploadId)).not.toHaveProperty('due_at');
  });

  test.for([
    { name: 'completed', end: 'endCompleted', days: 30, delete_after: undefined },
    { name: 'replaced', end: 'endReplaced', days: 30, delete_after: '2026-03-02T12:00:00.000Z' },
    { name: 'replaced, and kept for ever', end: 'endReplaced', days: undefined, delete_after: undefined },
  ] as const)('are done once, and kept as long as set: $name', async ({ end, days, delete_after }) => {
    const due = createDueUploads(dynamodb.client, 'uploads', days);
    const [uploadId = ''] = await addDue(1);
    const { due_at: before = '' } = await read(uploadId);
    const completion = { version_id: 'v1', size: 1, etag: 'e', completed_at: at };
    await tables().completeSuperseded(uploadId, completion, at);
    const { due_at = '' } = await read(uploadId);
    expect(await due[end]({ upload_id: uploadId, due_at: before }, at)).toBe(false);
    expect(await due[end]({ upload_id: uploadId, due_at }, at)).toBe(true);
    const done = await read(uploadId);
    expect(done).not.toHaveProperty('due_at');
    expect(done.delete_after).toBe(delete_after);
  });

  test('are all that a run reads, however many uploads there ever were', async () => {
    const settled = Array.from({ length: 250 }, () => {
      const { due_shard: _shard, due_at: _at, ...item } = issued(newId(), '2026-01-01T09:00:00.000Z');
      return { ...item, state: { S: 'cancelled' }, cancelled_at: { S: 'then' } };
    });
    await putAll(settled);
    await addDue(5);
    const counts = { calls: 0, read: 0 };
    dynamodb.client.middlewareStack.add(
      (next) => async (input) => {
        const result = await next(input);
        const output = result.output as { readonly ScannedCount?: number; readonly Responses?: object };
        counts.calls += 1;
        counts.read += output.ScannedCount ?? Object.values(output.Responses ?? {}).flat().length;
        return result;
      },
      { step: 'initialize', name: 'counting' },
    );
    await run();
    // One query for each partition, one read of all uploads, and a write for each.
    expect(counts).toEqual({ calls: dueShards.length + 1 + 5, read: 2 * 5 });
    Object.assign(counts, { calls: 0, read: 0 });
    expect(await run(aMonthLater)).toMatchObject({ done: 5 });
    dynamodb.client.middlewareStack.remove('counting');
    // The last look also reads the file, which may be deleted.
    expect(counts).toEqual({ calls: dueShards.length + 2 + 5, read: 2 * 5 });
  });

  test('are done beside a damaged one', async () => {
    await addDue(3);
    await putAll([{ ...issued(newId(), '2026-01-31T09:00:00.000Z'), state: { S: 'asleep' } }]);
    expect(await run()).toMatchObject({ expired: 3, failed: 1 });
  });
});
