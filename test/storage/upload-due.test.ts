import type { ItemUpdate } from '../../storage/attributes.ts';
import {
  putIssued,
  readUploadRequest,
  updateToCancelled,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  uploadFromItem,
  uploadsTable,
} from '../../storage/upload.ts';
import {
  deletionAt,
  dueAttributes,
  dueFromItem,
  type dueShards,
  firstCheckAt,
  lastCheckAt,
  nextCheckAt,
  queryDue,
  updateDueAt,
  updateToCancelledAndAnnounced,
  updateToContentDeleted,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';
import { useTable } from './support/tables.ts';

const { put, query: queryItems, readItem, update } = await useTable(uploadsTable);

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
  await put(putIssued({ upload_id, ...owner, key: `uploads/${upload_id}`, ...times }));
  return upload_id;
}

const read = async (id: string) => uploadFromItem((await readItem(readUploadRequest(id))) ?? {});

async function query(shard: (typeof dueShards)[number], now: string) {
  const { Items = [] } = await queryItems(queryDue(shard, now, 100));
  return Items.map(dueFromItem);
}

describe('an upload becomes due', () => {
  test('in the partition of its last digit', () => {
    const partitions = [...'0123456789abcdef'].map(
      (digit) => dueAttributes(`019c1b2e-7d3a-7000-8f43-00000000000${digit}`, expiresAt).due_shard,
    );
    const digits = [...'01234567'];
    expect(partitions).toEqual([...digits, ...digits]);
  });

  test('ten minutes after its URL expires, and again after a day', () => {
    expect(firstCheckAt(expiresAt)).toBe(dueAt);
    expect(lastCheckAt(expiresAt)).toBe(later);
    expect(nextCheckAt(new Date(expiresAt))).toBe('2026-01-31T11:00:00.000Z');
  });

  test('for its deletion when it is replaced, but not while its URL works', () => {
    // Issued at 2026-01-31T09:00:00.000Z.
    const id = '019c1347-d280-7001-8f43-5e0d1c2b3a4a';
    expect(deletionAt(id, dueAt)).toBe(later);
    expect(deletionAt(id, muchLater)).toBe(muchLater);
  });

  test('and is found then and not before, oldest first', async () => {
    const second = await issue(7, '2026-01-31T12:00:00.000Z');
    const first = await issue(7, '2026-01-31T11:00:00.000Z');
    const third = await issue(7, '2026-01-31T13:00:00.000Z');
    const idsAt = async (now: string) => (await query('7', now)).map(({ upload_id }) => upload_id);
    expect(await idsAt('2026-01-31T12:10:00.000Z')).toEqual([first, second]);
    expect(await idsAt(muchLater)).toEqual([first, second, third]);
    expect(await query('6', muchLater)).toEqual([]);
  });
});

const found = (upload_id: string, due_at = dueAt) => ({ upload_id, due_at });
const replacedAt = '2026-02-15T00:00:00.000Z';
const replaced = (id: string) => updateToCompletedAndSuperseded(id, completion, replacedAt);
const complete = (id: string) => updateToCompleted(id, completion);
type Change = (id: string) => ItemUpdate;

test.for<readonly [string, last: Change, before?: Change]>([
  ['completed', complete],
  ['cancelled', (id) => updateToCancelledAndAnnounced(id, later, later)],
  [
    'announced as cancelled',
    (id) => updateToCancelledAndAnnounced(id, muchLater, muchLater),
    (id) => updateToCancelled(id, later),
  ],
  ['known as unused', (id) => updateToUnused(found(id), { expired_at: later })],
  [
    'known as unused after it expired',
    (id) => updateToUnused(found(id, later), {}),
    (id) => updateToExpired(found(id), dueAt, later),
  ],
  ['deleted after it was replaced', (id) => updateToContentDeleted(found(id, replacedAt), {}), replaced],
])('an upload is due until it is %s', async ([, last, before]) => {
  const id = await issue(3);
  if (before !== undefined) {
    await update(before(id));
  }
  const due = [...(await query('3', muchLater)), ...(await query('deletion-3', muchLater))];
  expect(due.map(({ upload_id }) => upload_id)).toEqual([id]);

  expect(await update(last(id))).toBe(true);

  const upload = await read(id);
  expect(upload).not.toHaveProperty('due_at');
  expect(upload).not.toHaveProperty('due_shard');
});

// The command line cancelled it. The function read the upload before that, so its time differs.
test('an upload that is cancelled meanwhile keeps its first time', async () => {
  const id = await issue();
  expect(await update(updateToCancelled(id, later))).toBe(true);
  expect(await update(updateToCancelledAndAnnounced(id, muchLater, muchLater))).toBe(true);
  expect(await read(id)).toMatchObject({ state: 'cancelled', cancelled_at: later });
});

test('an unused upload of a deleted file gets the end of the file', async () => {
  const id = await issue();
  const end = { expired_at: later, deleted_at: dueAt, delete_after: muchLater };
  expect(await update(updateToUnused(found(id), end))).toBe(true);
  expect(await read(id)).toMatchObject(end);
});

describe('a change of outdated data is rejected', () => {
  test.for<readonly [string, Change]>([
    ['completed', (id) => updateToCompletedAndSuperseded(id, completion, dueAt)],
    ['cancelled', (id) => updateToCancelled(id, later)],
    ['due at another time', (id) => updateDueAt(found(id), later)],
  ])('expiry of an upload that is %s', async ([, change]) => {
    const id = await issue();
    await update(change(id));
    expect(await update(updateToExpired(found(id), later, muchLater))).toBe(false);
    expect(await read(id)).not.toHaveProperty('expired_at');
  });

  test.for<readonly [string, Change, before?: Change]>([
    ['content deleted while it is issued', (id) => updateToContentDeleted(found(id), {})],
    ['unused after it was completed', (id) => updateToUnused(found(id), {}), complete],
    ['cancelled after it was completed', (id) => updateToCancelledAndAnnounced(id, later, later), complete],
    [
      'unused while it is due at another time',
      (id) => updateToUnused(found(id), {}),
      (id) => updateDueAt(found(id), later),
    ],
    ['due later after it was completed', (id) => updateDueAt(found(id), later), complete],
    ['due later than another time', (id) => updateDueAt(found(id, later), muchLater)],
  ])('an upload becomes %s', async ([, change, before]) => {
    const id = await issue();
    if (before !== undefined) {
      await update(before(id));
    }
    expect(await update(change(id))).toBe(false);
  });
});
