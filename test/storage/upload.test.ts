import { describe, expect, test } from 'vitest';
import type { Item, ItemUpdate } from '../../storage/attributes.ts';
import {
  type Completion,
  type IssuedUpload,
  putIssued,
  readUpload,
  type Upload,
  updateToCancelled,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  updateToSuperseded,
  uploadFromItem,
} from '../../storage/upload.ts';
import { useTables } from './support/tables.ts';
import { notRefused, type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const tables = await useTables();

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

/** 5 GiB, which no number of 32 bits holds. */
const completion: Completion = {
  size: 5_368_709_120,
  etag: 'etag',
  checksum_crc64nvme: '1BGd19PD4OU=',
  version_id: 'v1',
  completed_at: later,
  uploaded_from: '2001:db8::7',
};

// The same as storage/README.md says, in each state.
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

/** S3 may have no checksum, an upload need not be due, and items of older versions have neither request nor origin. */
const optional = [
  'checksum_crc64nvme',
  'due_shard',
  'due_at',
  'request_id',
  'requested_from',
  'uploaded_from',
];

let uploadCount = 0;

/** Issues the upload under an id of its own, and then makes these changes. */
async function stored(...changes: readonly ((uploadId: string) => ItemUpdate)[]): Promise<string> {
  const { state: _state, ...attributes } = issued;
  // The id ends with the same digit as the upload `a`, so that both are due in the same partition.
  const uploadId = `019c1347-d280-7000-8f43-${String(++uploadCount).padStart(11, '0')}a`;
  await tables.uploads.put(putIssued({ ...attributes, upload_id: uploadId }));
  for (const change of changes) {
    await tables.uploads.update(change(uploadId));
  }
  return uploadId;
}

async function read(uploadId: string): Promise<Upload | undefined> {
  const found = await tables.uploads.read(readUpload(uploadId));
  return found === undefined ? undefined : uploadFromItem(found);
}

const complete = (uploadId: string) => updateToCompleted(uploadId, completion);
const cancel = (uploadId: string) => updateToCancelled(uploadId, later);
const supersede = (uploadId: string) => updateToSuperseded(uploadId, later);

test('an upload is read consistently, so that the recorder sees what was issued', () => {
  expect(readUpload('a')).toEqual({ Key: { upload_id: { S: 'a' } }, ConsistentRead: true });
});

describe('an upload', () => {
  test('is stored as documented', async () => {
    const { state: _state, ...attributes } = issued;
    expect(await tables.uploads.put(putIssued(attributes))).toBe(true);
    expect(await tables.uploads.read(readUpload(a))).toEqual(issuedItem);
    expect(await read(a)).toEqual(issued);
  });

  test('can be issued again with the same answer, when the first answer was lost', async () => {
    const { state: _state, ...attributes } = issued;
    expect(await tables.uploads.put(putIssued(attributes))).toBe(true);
    expect(await read(a)).toEqual(issued);
  });

  test('is read with what belongs to its state, superseded or not', () => {
    const uploads: readonly (readonly [Item, object])[] = [
      [issuedItem, issued],
      [completedItem, { ...issued, state: 'completed', ...completion }],
      [cancelledItem, { ...issued, state: 'cancelled', cancelled_at: later }],
    ];
    for (const [item, upload] of uploads) {
      expect(uploadFromItem(item)).toEqual(upload);
      const superseded = { ...item, superseded_at: { S: later } };
      expect(uploadFromItem(superseded)).toEqual({ ...upload, superseded_at: later });
    }
  });

  test('is refused when anything in it is wrong, and the place named', () => {
    for (const item of [issuedItem, completedItem, cancelledItem]) {
      const required = Object.keys(item).filter((name) => !optional.includes(name));
      const wrong = [
        ...withoutEach(item, required),
        ...withEachOfAnotherType({ ...item, superseded_at: { S: later } }),
        ...['expired', '', 'ISSUED'].map(
          (state): WrongItem => [`of the state ${state}`, { ...item, state: { S: state } }, 'state'],
        ),
      ];
      expect(notRefused(wrong, uploadFromItem)).toEqual([]);
    }
  });
});

describe('a state of an upload', () => {
  test('is completed once: the first facts stay', async () => {
    const id = await stored();
    expect(await tables.uploads.update(complete(id))).toBe(true);
    const other = { size: 1, etag: 'other', version_id: 'v2', completed_at: issuedAt };
    expect(await tables.uploads.update(updateToCompleted(id, other))).toBe(false);
    expect(await read(id)).toEqual({ ...notDue, upload_id: id, state: 'completed', ...completion });
  });

  test('is cancelled: the time of the first cancellation stays', async () => {
    const id = await stored();
    expect(await tables.uploads.update(cancel(id))).toBe(true);
    expect(await tables.uploads.update(updateToCancelled(id, issuedAt))).toBe(true);
    expect(await read(id)).toEqual({ ...issued, upload_id: id, state: 'cancelled', cancelled_at: later });
  });

  test('is never cancelled after it was completed, nor completed after it was cancelled', async () => {
    const completed = await stored(complete);
    expect(await tables.uploads.update(cancel(completed))).toBe(false);
    expect(await read(completed)).not.toHaveProperty('cancelled_at');
    const cancelled = await stored(cancel);
    expect(await tables.uploads.update(complete(cancelled))).toBe(false);
    expect(await read(cancelled)).not.toHaveProperty('version_id');
  });
});

describe('an upload whose content was replaced', () => {
  test('says when, once, and becomes due for its deletion if it was not due', async () => {
    const due_at = '2026-02-01T10:10:00.000Z';
    for (const [changes, due] of [
      [[], {}],
      [[cancel], {}],
      [[complete], { due_shard: expect.stringMatching(/^deletion-/), due_at }],
    ] as const) {
      const id = await stored(...changes);
      const before = await read(id);
      expect(await tables.uploads.update(supersede(id))).toBe(true);
      expect(await tables.uploads.update(updateToSuperseded(id, '2027-01-01T00:00:00.000Z'))).toBe(false);
      expect(await read(id)).toEqual({ ...before, superseded_at: later, ...due });
    }
  });

  test('can still be completed: a crash may have come between', async () => {
    const id = await stored(supersede);
    expect(await tables.uploads.update(complete(id))).toBe(false);
    expect(await tables.uploads.update(updateToCompletedAndSuperseded(id, completion, expiresAt))).toBe(true);
    expect(await read(id)).toMatchObject({ state: 'completed', superseded_at: later, ...completion });
  });
});

test('an upload that does not exist is not made by a change', async () => {
  const none = '019c1347-d280-7fff-8f43-5e0d1c2b3a4a';
  for (const change of [complete, cancel, supersede]) {
    expect(await tables.uploads.update(change(none))).toBe(false);
  }
  expect(await read(none)).toBeUndefined();
});

test('the checksum of an upload is absent when S3 had none', async () => {
  const { checksum_crc64nvme: _, ...withoutChecksum } = completion;
  const id = await stored((uploadId) => updateToCompleted(uploadId, withoutChecksum));
  expect(await read(id)).toEqual({ ...notDue, upload_id: id, state: 'completed', ...withoutChecksum });
});
