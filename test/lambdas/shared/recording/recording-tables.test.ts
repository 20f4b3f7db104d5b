import { createReadItem, createTables } from '../../../../lambdas/shared/recording/recording-tables.ts';
import { names, startStorage } from './support.ts';

/**
 * The tests of `storage/` cover the condition of each write and the format of the items. The tests of the two
 * functions cover the other writes.
 */

const storage = await startStorage();
const tables = createTables(storage.dynamodb, names, createReadItem(storage.dynamodb));

test('absent items are read as undefined', async () => {
  const nothing = [await tables.readUpload('unknown'), await tables.readFileContent('unknown')];
  expect(nothing).toEqual([undefined, undefined]);
});

test('an upload is postponed as it was read, and cancelled, and then not due', async () => {
  const upload_id = '019c1347-d280-7001-8f43-5e0d1c2b3a41';
  const [at, later] = ['2026-01-31T09:00:00.000Z', '2026-05-01T12:00:00.000Z'];
  await storage.addUpload(upload_id, 'file');
  const found = (await tables.readUpload(upload_id)) ?? expect.fail('no upload');

  expect([await tables.postpone(found, later), await tables.postpone(found, at)]).toEqual([true, false]);
  expect(await tables.readUpload(upload_id)).toMatchObject({ state: 'issued', due_at: later });
  expect(await tables.cancelUpload(upload_id, at, at)).toBe(true);
  expect(await tables.postpone({ upload_id }, later)).toBe(false);
  const cancelled = await tables.readUpload(upload_id);
  expect(cancelled).toMatchObject({ state: 'cancelled', cancelled_at: at });
  expect(cancelled).not.toHaveProperty('due_at');
});
