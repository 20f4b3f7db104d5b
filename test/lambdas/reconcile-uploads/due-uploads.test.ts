import { setImmediate as gather } from 'node:timers/promises';
import { createBatchReader } from '../../../lambdas/reconcile-uploads/batch-reader.ts';
import { createDueUploads } from '../../../lambdas/reconcile-uploads/due-uploads.ts';
import { createExpectedFiles } from '../../../lambdas/reconcile-uploads/expected-files.ts';
import { reconcile } from '../../../lambdas/reconcile-uploads/reconcile.ts';
import { createTables } from '../../../lambdas/shared/recording/recording-tables.ts';
import type { Item } from '../../../storage/attributes.ts';
import { dueShards, uploadShards } from '../../../storage/upload-due.ts';
import { putItems, tables as tableKeys } from '../../support/aws.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { issuedItem } from '../shared/recording/fake-store.ts';
import { recordingLog } from '../support/log.ts';

const { client } = await startDynamodb(tableKeys);
const names = { files: 'test-files', uploads: 'test-uploads' };
const tables = createTables(
  client,
  names,
  createBatchReader(client, () => gather()),
);
const putAll = (uploads: readonly Item[]) => putItems(client, { uploads });

let last = 0;
/** Id of an upload in the partition of index 1. */
const newId = () => `019c1310-e400-7000-8f43-${(++last).toString(16).padStart(11, '0')}1`;

/** Uploads whose URLs expired at intervals of one second, in a different order than their ids. */
async function addDue(count: number): Promise<readonly string[]> {
  const ids = Array.from({ length: count }, newId);
  const second = (index: number) => (index * 7) % count;
  const expiry = (index: number) => new Date(Date.UTC(2026, 0, 31, 9, 0, second(index))).toISOString();
  await putAll(ids.map((uploadId, index) => issuedItem(uploadId, 'file', expiry(index))));
  return ids.toSorted((one, other) => second(ids.indexOf(one)) - second(ids.indexOf(other)));
}

const [at, aMonthLater] = ['2026-01-31T12:00:00.000Z', '2026-03-01T12:00:00.000Z'];

/** Runs the reconciliation with an empty bucket. */
const run = (time = at) =>
  reconcile({
    tables,
    due: createDueUploads(client, names.uploads),
    bucket: {} as never,
    objects: { find: async () => undefined } as never,
    announce: async () => undefined,
    sendEvent: async () => undefined,
    expected: createExpectedFiles(client, names.files, async () => undefined),
    log: recordingLog().log,
    now: () => new Date(time),
    hasTime: () => true,
    random: () => 0,
  });

describe('due uploads', () => {
  test('are listed page by page, oldest first, and all done by one run', async () => {
    const ids = await addDue(130);
    const due = createDueUploads(client, names.uploads);
    const pages: string[][] = [];
    for await (const page of due.list('1', at)) {
      pages.push(page.map(({ upload_id }) => upload_id));
    }
    expect(pages.map(({ length }) => length)).toEqual([100, 30]);
    expect(pages.flat()).toEqual(ids);

    expect(await run()).toMatchObject({ expired: 130, unchanged: 0, failed: 0, unfinished: false });
    const uploads = await Promise.all(ids.map(tables.readUpload));
    expect(uploads).toMatchObject(ids.map(() => ({ expired_at: at })));
    expect(await run()).toMatchObject({ expired: 0, done: 0, unchanged: 0 });
    expect(await run(aMonthLater)).toMatchObject({ done: 130, unchanged: 0 });
  });

  test.for([
    { name: 'for a time', days: 30, delete_after: '2026-03-02T12:00:00.000Z' },
    { name: 'for ever', days: undefined, delete_after: undefined },
  ] as const)('that were replaced are done once, and kept $name', async ({ days, delete_after }) => {
    const due = createDueUploads(client, names.uploads, days);
    const [upload_id = ''] = await addDue(1);
    const before = await tables.readUpload(upload_id);
    await tables.completeSuperseded(
      upload_id,
      { version_id: 'v1', size: 1, etag: 'e', completed_at: at },
      at,
    );
    const after = await tables.readUpload(upload_id);

    expect(await due.endReplaced({ upload_id, due_at: before?.due_at ?? '' }, at)).toBe(false);
    expect(await due.endReplaced({ upload_id, due_at: after?.due_at ?? '' }, at)).toBe(true);
    const done = await tables.readUpload(upload_id);
    expect(done).not.toHaveProperty('due_at');
    expect(done?.delete_after).toBe(delete_after);
  });

  test('that are not due yet are listed newest first, two minutes after the issue', async () => {
    const due = createDueUploads(client, names.uploads);
    const ids = await addDue(5);
    // An older upload, which was checked before.
    await putAll([issuedItem(newId().replace('019c1', '019c0'), 'file', '2026-01-31T09:00:01.500Z')]);
    const found: string[] = [];
    for await (const page of due.listUnrecorded('1', '2026-01-31T08:02:02.500Z')) {
      found.push(...page.map(({ upload_id }) => upload_id));
    }
    expect(found).toEqual([ids[2], ids[1], ids[0]]);
    await run(aMonthLater);
  });

  test('are all that a run reads, however many uploads there ever were', async () => {
    const settled = Array.from({ length: 250 }, () => {
      const {
        due_shard: _shard,
        due_at: _at,
        ...item
      } = issuedItem(newId(), 'file', '2026-01-01T09:00:00.000Z');
      return { ...item, state: { S: 'cancelled' }, cancelled_at: { S: 'then' } };
    });
    await putAll(settled);
    await addDue(5);
    const counts = { calls: 0, read: 0 };
    client.middlewareStack.add(
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
    // A query for each partition and each sample, two for watched files, one read of all uploads, and a write for each.
    const queries = dueShards.length + uploadShards.length + 2;
    expect(counts).toEqual({ calls: queries + 1 + 5, read: 2 * 5 });
    Object.assign(counts, { calls: 0, read: 0 });
    expect(await run(aMonthLater)).toMatchObject({ done: 5 });
    client.middlewareStack.remove('counting');
    // The last check also reads the file, which may be deleted.
    expect(counts).toEqual({ calls: queries + 2 + 5, read: 2 * 5 });
  });
});
