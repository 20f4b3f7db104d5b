import { describe, expect, test } from 'vitest';
import type { Item, ItemUpdate } from '../../storage/attributes.ts';
import {
  putIssued,
  readUpload,
  updateToCancelled,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  uploadFromItem,
} from '../../storage/upload.ts';
import {
  deletionAt,
  dueAttributes,
  dueFromItem,
  type dueShards,
  firstLookAt,
  lastLookAt,
  nextTryAt,
  queryDue,
  updateDueAt,
  updateToCancelledAndAnnounced,
  updateToContentDeleted,
  updateToDone,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';
import { useTables } from './support/tables.ts';

const tables = await useTables();

const expiresAt = '2026-01-31T10:00:00.000Z';
const dueAt = '2026-01-31T10:10:00.000Z';
const later = '2026-02-01T10:10:00.000Z';
const muchLater = '2026-03-01T00:00:00.000Z';
const completion = { size: 1, etag: 'etag', version_id: 'v1', completed_at: later };

let count = 0;

async function issue(shard = 0, expires_at = expiresAt): Promise<string> {
  const upload_id = `019c1347-d280-7000-8f43-${(++count).toString(16).padStart(11, '0')}${shard}`;
  const times = { issued_at: '2026-01-31T09:00:00.000Z', expires_at };
  const owner = { file_id: 'file', organisation_id: 'acme', client_id: 'client' };
  await tables.uploads.put(putIssued({ upload_id, ...owner, key: `uploads/${upload_id}`, ...times }));
  return upload_id;
}

const update = (change: ItemUpdate) => tables.uploads.update(change);
const read = async (id: string) => uploadFromItem((await tables.uploads.read(readUpload(id))) ?? {});

async function query(shard: (typeof dueShards)[number], now: string, limit = 100) {
  const found = [];
  let after: Item | undefined;
  do {
    const { Items = [], LastEvaluatedKey } = await tables.uploads.query(
      queryDue(shard, now, { limit, after }),
    );
    found.push(...Items.map(dueFromItem));
    after = LastEvaluatedKey;
  } while (after !== undefined);
  return found;
}

describe('an upload becomes due', () => {
  test('ten minutes after its URL has expired, in the partition of its last digit', () => {
    const partitions = [...'0123456789abcdef'].map(
      (digit) => dueAttributes(`019c1b2e-7d3a-7000-8f43-00000000000${digit}`, expiresAt).due_shard,
    );
    const digits = [...'01234567'];
    expect(partitions).toEqual([...digits, ...digits]);
    expect(firstLookAt(expiresAt)).toBe(dueAt);
    expect(lastLookAt(expiresAt)).toBe(later);
    expect(nextTryAt(new Date(expiresAt))).toBe('2026-01-31T11:00:00.000Z');
  });

  test('for its deletion a day after its URL has expired at the latest, or when it is replaced after that', () => {
    // Issued at 2026-01-31T09:00:00.000Z.
    const id = '019c1347-d280-7001-8f43-5e0d1c2b3a4a';
    expect(deletionAt(id, dueAt)).toBe(later);
    expect(deletionAt(id, muchLater)).toBe(muchLater);
  });

  test('and is found then and not before, oldest first, over as many pages as it takes', async () => {
    const second = await issue(7, '2026-01-31T12:00:00.000Z');
    const first = await issue(7, '2026-01-31T11:00:00.000Z');
    const third = await issue(7, '2026-01-31T13:00:00.000Z');
    const idsAt = async (now: string, limit: number) =>
      (await query('7', now, limit)).map(({ upload_id }) => upload_id);
    expect(await idsAt('2026-01-31T12:10:00.000Z', 1)).toEqual([first, second]);
    expect(await idsAt(muchLater, 2)).toEqual([first, second, third]);
    expect(await query('6', muchLater)).toEqual([]);
  });
});

test('an upload is due no more when nothing of it is left to do', async () => {
  const found = (upload_id: string, due_at = dueAt) => ({ upload_id, due_at });
  const replacedAt = '2026-02-15T00:00:00.000Z';
  const ways: readonly (readonly ((id: string) => ItemUpdate)[])[] = [
    [(id) => updateToCompleted(id, completion)],
    [(id) => updateToCancelledAndAnnounced(id, later)],
    [(id) => updateToCancelled(id, later), (id) => updateToCancelledAndAnnounced(id, muchLater)],
    [(id) => updateToUnused(found(id), { expired_at: later })],
    [(id) => updateToExpired(found(id), dueAt, later), (id) => updateToUnused(found(id, later), {})],
    [
      (id) => updateToCompletedAndSuperseded(id, completion, replacedAt),
      (id) => updateToContentDeleted(found(id, replacedAt), {}),
    ],
    [
      (id) => updateToCompletedAndSuperseded(id, completion, replacedAt),
      (id) => updateToDone(found(id, replacedAt)),
    ],
  ];
  for (const changes of ways) {
    const id = await issue(3);
    for (const change of changes) {
      const due = [...(await query('3', muchLater)), ...(await query('deletion-3', muchLater))];
      expect(due.map(({ upload_id }) => upload_id)).toEqual([id]);
      expect(await update(change(id))).toBe(true);
    }
    const upload = await read(id);
    expect(upload).not.toHaveProperty('due_at');
    expect(upload).not.toHaveProperty('due_shard');
  }
});

test('an upload that the command line cancels meanwhile keeps the time of its cancellation', async () => {
  const id = await issue();
  expect(await update(updateToCancelled(id, later))).toBe(true);
  // The function read the upload before, so that its time is another one.
  expect(await update(updateToCancelledAndAnnounced(id, muchLater))).toBe(true);
  expect(await read(id)).toMatchObject({ state: 'cancelled', cancelled_at: later });
});

describe('an upload stays due', () => {
  test('while its cancellation is not announced', async () => {
    const cancelled = await issue();
    await update(updateToCancelled(cancelled, later));
    expect(await read(cancelled)).toMatchObject({ state: 'cancelled', due_at: dueAt });
  });

  test('until a day after it expired unused, with the first time at which that was seen', async () => {
    const id = await issue();
    expect(await update(updateToExpired({ upload_id: id, due_at: dueAt }, dueAt, later))).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'issued', expired_at: dueAt, due_at: later });
    expect(await update(updateToUnused({ upload_id: id, due_at: later }, { expired_at: later }))).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'issued', expired_at: dueAt });
    expect(await update(updateToCompleted(id, completion))).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'completed', expired_at: dueAt });
  });
});

test('an unused upload of a deleted file gets the end of the file', async () => {
  const id = await issue();
  const end = { expired_at: later, deleted_at: dueAt, delete_after: muchLater };
  expect(await update(updateToUnused({ upload_id: id, due_at: dueAt }, end))).toBe(true);
  expect(await read(id)).toMatchObject(end);
});

describe('what was changed meanwhile is refused', () => {
  test('expiry of a completed or cancelled upload, or of one that is due at another time', async () => {
    const completed = await issue();
    await update(updateToCompletedAndSuperseded(completed, completion, dueAt));
    const cancelled = await issue();
    await update(updateToCancelled(cancelled, later));
    for (const id of [completed, cancelled]) {
      expect(await update(updateToExpired({ upload_id: id, due_at: dueAt }, later, muchLater))).toBe(false);
    }
    const issued = await issue();
    expect(await update(updateToExpired({ upload_id: issued, due_at: later }, later, muchLater))).toBe(false);
    expect(await read(issued)).not.toHaveProperty('expired_at');
  });

  test('the end of the looks at one that is not issued, is not completed, or is due at another time', async () => {
    const id = await issue();
    const found = { upload_id: id, due_at: dueAt };
    for (const change of [updateToDone(found), updateToContentDeleted(found, {})]) {
      expect(await update(change)).toBe(false);
    }
    await update(updateToExpired(found, dueAt, later));
    expect(await update(updateToUnused(found, {}))).toBe(false);
    await update(updateToCompleted(id, completion));
    expect(await update(updateToUnused({ ...found, due_at: later }, {}))).toBe(false);
    expect(await update(updateToCancelledAndAnnounced(id, later))).toBe(false);
  });

  test('another time for one that is due at another time, or no more', async () => {
    const id = await issue();
    expect(await update(updateDueAt({ upload_id: id, due_at: later }, muchLater))).toBe(false);
    expect(await update(updateDueAt({ upload_id: id, due_at: dueAt }, muchLater))).toBe(true);
    expect(await read(id)).toMatchObject({ due_at: muchLater });
    await update(updateToCompleted(id, completion));
    expect(await update(updateDueAt({ upload_id: id, due_at: muchLater }, later))).toBe(false);
  });

  test('any change of one that does not exist', async () => {
    const none = { upload_id: 'none', due_at: dueAt };
    expect(await update(updateToDone(none))).toBe(false);
    expect(await update(updateToUnused(none, {}))).toBe(false);
    expect(await update(updateToCancelledAndAnnounced('none', later))).toBe(false);
    expect(await update(updateToExpired(none, later, muchLater))).toBe(false);
    expect(await update(updateDueAt(none, later))).toBe(false);
  });
});
