import type { Item, ItemUpdate } from '../../storage/attributes.ts';
import {
  type Completion,
  type IssuedUpload,
  putIssued,
  readUploadRequest,
  type Upload,
  updateToCancelled,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  updateToDeletedUpload,
  updateToSuperseded,
  uploadFromItem,
  uploadsTable,
} from '../../storage/upload.ts';
import { updateToContentDeleted } from '../../storage/upload-due.ts';
import { useTable } from './support/tables.ts';
import { type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const { put, readItem, update } = await useTable(uploadsTable);

const issuedAt = '2026-01-31T09:00:00.000Z';
const expiresAt = '2026-01-31T10:00:00.000Z';
const later = '2026-02-01T09:00:00.000Z';

/** Issued at 2026-01-31T09:00:00.000Z. */
const a = '019c1347-d280-7001-8f43-5e0d1c2b3a4a';

const issued: IssuedUpload = {
  upload_id: a,
  file_id: 'orders.csv',
  organisation_id: 'acme',
  client_id: 'client_1',
  key: `uploads/${a}`,
  issued_at: issuedAt,
  expires_at: expiresAt,
  request_id: 'request-1',
  requested_from: '192.0.2.1',
  state: 'issued',
  due_shard: '2',
  due_at: '2026-01-31T10:10:00.000Z',
};

const { due_shard: _shard, due_at: _at, ...notDue } = issued;

/** 5 GiB, which exceeds 32 bits. */
const completion: Completion = {
  size: 5_368_709_120,
  etag: 'etag',
  checksum_crc64nvme: '1BGd19PD4OU=',
  version_id: 'v1',
  completed_at: later,
  uploaded_from: '2001:db8::7',
};

// The same upload as in docs/stored-items.md, in each state.
const issuedItem: Item = {
  upload_id: { S: a },
  file_id: { S: 'orders.csv' },
  organisation_id: { S: 'acme' },
  client_id: { S: 'client_1' },
  key: { S: `uploads/${a}` },
  issued_at: { S: issuedAt },
  expires_at: { S: expiresAt },
  request_id: { S: 'request-1' },
  requested_from: { S: '192.0.2.1' },
  state: { S: 'issued' },
  due_shard: { S: '2' },
  due_at: { S: '2026-01-31T10:10:00.000Z' },
};
const completedItem: Item = {
  ...issuedItem,
  state: { S: 'completed' },
  size: { N: '5368709120' },
  etag: { S: 'etag' },
  checksum_crc64nvme: { S: '1BGd19PD4OU=' },
  version_id: { S: 'v1' },
  completed_at: { S: later },
  uploaded_from: { S: '2001:db8::7' },
};
const cancelledItem: Item = { ...issuedItem, state: { S: 'cancelled' }, cancelled_at: { S: later } };
const items: readonly (readonly [state: string, Item, object])[] = [
  ['issued', issuedItem, issued],
  ['completed', completedItem, { ...issued, state: 'completed', ...completion }],
  ['cancelled', cancelledItem, { ...issued, state: 'cancelled', cancelled_at: later }],
];

/** Attributes that a stored upload may lack. */
const optional = [
  'checksum_crc64nvme',
  'due_shard',
  'due_at',
  'request_id',
  'requested_from',
  'uploaded_from',
];

let uploadCount = 0;

/** Issues an upload under a new id, and then applies these changes. */
async function stored(...changes: readonly ((uploadId: string) => ItemUpdate)[]): Promise<string> {
  const { state: _state, ...attributes } = issued;
  // The id ends with the same digit as the upload `a`, so both are due in the same partition.
  const uploadId = `019c1347-d280-7000-8f43-${String(++uploadCount).padStart(11, '0')}a`;
  await put(putIssued({ ...attributes, upload_id: uploadId }));
  for (const change of changes) {
    await update(change(uploadId));
  }
  return uploadId;
}

async function read(uploadId: string): Promise<Upload | undefined> {
  const found = await readItem(readUploadRequest(uploadId));
  return found === undefined ? undefined : uploadFromItem(found);
}

const complete = (uploadId: string) => updateToCompleted(uploadId, completion);
const cancel = (uploadId: string) => updateToCancelled(uploadId, later);
const supersede = (uploadId: string) => updateToSuperseded(uploadId, later);

// The recorder therefore sees the issued upload.
test('an upload is read consistently', () => {
  expect(readUploadRequest('a')).toEqual({ Key: { upload_id: { S: 'a' } }, ConsistentRead: true });
});

describe('an upload', () => {
  test('is stored as documented', async () => {
    const { state: _state, ...attributes } = issued;
    expect(await put(putIssued(attributes))).toBe(true);
    expect(await readItem(readUploadRequest(a))).toEqual({
      ...issuedItem,
      list_shard: { S: '2' },
    });
    expect(await read(a)).toEqual(issued);
  });

  // The first response of DynamoDB may have been lost.
  test('can be issued again with the same response', async () => {
    const { state: _state, ...attributes } = issued;
    expect(await put(putIssued(attributes))).toBe(true);
    expect(await read(a)).toEqual(issued);
  });

  test.for(items)('that is %s is read with all its attributes', ([, item, upload]) => {
    expect(uploadFromItem(item)).toEqual(upload);
    const superseded = { ...item, superseded_at: { S: later } };
    expect(uploadFromItem(superseded)).toEqual({ ...upload, superseded_at: later });
  });

  const wrongItems = items.flatMap(([state, item]) =>
    [
      ...withoutEach(
        item,
        Object.keys(item).filter((name) => !optional.includes(name)),
      ),
      ...withEachOfAnotherType({ ...item, superseded_at: { S: later } }),
      ...['expired', '', 'ISSUED'].map(
        (other): WrongItem => [`of the state "${other}"`, { ...item, state: { S: other } }, 'state'],
      ),
    ].map(([what, wrong, place]) => [state, what, wrong, place] as const),
  );

  test.for(wrongItems)('that is %s is rejected %s', ([, , wrong, place]) => {
    expect(() => uploadFromItem(wrong)).toThrow(`The stored upload is not as expected at: ${place}`);
  });
});

describe('a state of an upload', () => {
  test('is completed once: the first facts stay', async () => {
    const id = await stored();
    expect(await update(complete(id))).toBe(true);
    const other = { size: 1, etag: 'other', version_id: 'v2', completed_at: issuedAt };
    expect(await update(updateToCompleted(id, other))).toBe(false);
    expect(await read(id)).toEqual({ ...notDue, upload_id: id, state: 'completed', ...completion });
  });

  test('is cancelled: the time of the first cancellation stays', async () => {
    const id = await stored();
    expect(await update(cancel(id))).toBe(true);
    expect(await update(updateToCancelled(id, issuedAt))).toBe(true);
    expect(await read(id)).toEqual({ ...issued, upload_id: id, state: 'cancelled', cancelled_at: later });
  });

  test('is not cancelled after it was completed', async () => {
    const id = await stored(complete);
    expect(await update(cancel(id))).toBe(false);
    expect(await read(id)).not.toHaveProperty('cancelled_at');
  });

  test('is not completed after it was cancelled', async () => {
    const id = await stored(cancel);
    expect(await update(complete(id))).toBe(false);
    expect(await read(id)).not.toHaveProperty('version_id');
  });
});

describe('an upload whose content was replaced', () => {
  test.for([
    ['an issued', [], {}],
    ['a cancelled', [cancel], {}],
    [
      'a completed',
      [complete],
      { due_shard: expect.stringMatching(/^deletion-/), due_at: '2026-02-01T10:10:00.000Z' },
    ],
  ] as const)('says when, once, and is due for its deletion: %s one', async ([, changes, due]) => {
    const id = await stored(...changes);
    const before = await read(id);
    expect(await update(supersede(id))).toBe(true);
    expect(await update(updateToSuperseded(id, '2027-01-01T00:00:00.000Z'))).toBe(false);
    expect(await read(id)).toEqual({ ...before, superseded_at: later, ...due });
  });

  // A crash may have occurred in between.
  test('can still be completed', async () => {
    const id = await stored(supersede);
    expect(await update(complete(id))).toBe(false);
    expect(await update(updateToCompletedAndSuperseded(id, completion, expiresAt))).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'completed', superseded_at: later, ...completion });
  });
});

describe('an upload of a deleted file', () => {
  const remove = (uploadId: string, at: string) =>
    update(updateToDeletedUpload(uploadId, at, '2026-05-01T09:00:00.000Z'));
  const deleted = { state: 'issued', deleted_at: later, delete_after: '2026-05-01T09:00:00.000Z' };

  test('counts as superseded, and has an end', async () => {
    const id = await stored();
    expect(await remove(id, later)).toBe(true);
    expect(await read(id)).toMatchObject({ ...deleted, superseded_at: later });
  });

  test('keeps its first times', async () => {
    const id = await stored((uploadId) => updateToSuperseded(uploadId, issuedAt));
    await remove(id, later);
    expect(await remove(id, '2026-03-01T09:00:00.000Z')).toBe(true);
    expect(await read(id)).toMatchObject({ ...deleted, superseded_at: issuedAt });
  });
});

test('a record of limited time ends, but not while it is content', async () => {
  const { state: _state, ...attributes } = { ...issued, upload_id: '019c1347-d280-7002-8f43-5e0d1c2b3a4a' };
  const { upload_id } = attributes;
  await put(putIssued(attributes, '2026-05-01T09:00:00.000Z'));
  expect((await readItem(readUploadRequest(upload_id)))?.delete_after).toEqual({
    N: '1777626000',
  });

  await update(complete(upload_id));
  expect(await read(upload_id)).not.toHaveProperty('delete_after');

  const due_at = '2026-03-01T09:00:00.000Z';
  await update(updateToSuperseded(upload_id, due_at));
  const end = { delete_after: '2026-05-01T09:00:00.000Z' };
  expect(await update(updateToContentDeleted({ upload_id, due_at }, end))).toBe(true);
  expect(await read(upload_id)).toMatchObject({ superseded_at: due_at, ...end });
});

test.for([
  ['replacing', supersede],
  ['deleting', (uploadId: string) => updateToDeletedUpload(uploadId, later, later)],
] as const)('%s does not create an upload', async ([, change]) => {
  const none = '019c1347-d280-7fff-8f43-5e0d1c2b3a4a';
  expect(await update(change(none))).toBe(false);
  expect(await read(none)).toBeUndefined();
});
