import { beforeEach, describe, expect, test } from 'vitest';
import {
  createReadItem,
  createTables,
  type Tables,
} from '../../../../lambdas/shared/recording/recording-tables.ts';
import { names, startStorage } from './support.ts';

/** The tests of `storage/` have the condition of each write, and what an item looks like. */

const storage = await startStorage();

let tables: Tables;
beforeEach(() => {
  tables = createTables(storage.dynamodb, names, createReadItem(storage.dynamodb));
});

const [at, later] = ['2026-01-31T09:00:00.000Z', '2026-05-01T12:00:00.000Z'];
const completion = { version_id: 'v1', size: 5_368_709_120, etag: 'etag', completed_at: at };
const contentOf = (upload_id: string) => ({ upload_id, key: `uploads/${upload_id}`, ...completion });

/** An id of its own for each test. */
const idOf = (number: number) => `019c1347-d280-7001-8f43-5e0d1c2b3a4${number}`;

test('nothing is read of what is not in the tables', async () => {
  const nothing = [await tables.readUpload('unknown'), await tables.readFileContent('unknown')];
  expect(nothing).toEqual([undefined, undefined]);
});

describe('an upload in the table', () => {
  test('is postponed as it was read, and cancelled, and then not due', async () => {
    const a = idOf(1);
    await storage.addUpload(a, 'file');
    const found = (await tables.readUpload(a)) ?? expect.fail('no upload');
    expect([await tables.postpone(found, later), await tables.postpone(found, at)]).toEqual([true, false]);
    expect(await tables.readUpload(a)).toMatchObject({ state: 'issued', due_at: later });
    expect(await tables.cancelUpload(a, at)).toBe(true);
    expect(await tables.postpone({ upload_id: a }, later)).toBe(false);
    const cancelled = await tables.readUpload(a);
    expect(cancelled).toMatchObject({ state: 'cancelled', cancelled_at: at });
    expect(cancelled).not.toHaveProperty('due_at');
  });

  test('is marked superseded once, and can be completed after that', async () => {
    const a = idOf(2);
    await storage.addUpload(a, 'file');
    expect([
      await tables.markSuperseded(a, at),
      await tables.markSuperseded(a, later),
      await tables.completeUpload(a, completion),
      await tables.completeSuperseded(a, completion, later),
    ]).toEqual([true, false, false, true]);
    const completed = { ...completion, state: 'completed', superseded_at: at };
    expect(await tables.readUpload(a)).toMatchObject(completed);
  });
});

test('a file gets new content only while it has what was read', async () => {
  await storage.addFile('file');
  expect([
    await tables.replaceContent('file', undefined, contentOf('a')),
    await tables.replaceContent('file', undefined, contentOf('x')),
    await tables.replaceContent('file', 'a', contentOf('b')),
  ]).toEqual([true, false, true]);
  expect(await tables.readFileContent('file')).toEqual({ file_id: 'file', content: contentOf('b') });
});
