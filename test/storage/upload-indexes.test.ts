import { describe, expect, test } from 'vitest';
import type { ItemUpdate } from '../../storage/attributes.ts';
import { clientsTable } from '../../storage/client.ts';
import { filesTable } from '../../storage/file.ts';
import {
  putIssued,
  updateSupersededToCompleted,
  updateToCancelled,
  updateToCompleted,
  updateToSuperseded,
  uploadsTable,
} from '../../storage/upload.ts';
import { updateToCancelledAndSettled, updateToExpired, updateToSettled } from '../../storage/upload-due.ts';

/**
 * DynamoDB writes to an index only when an attribute that the index holds changes ("Using Global Secondary Indexes in
 * DynamoDB"). Each write to an index costs as much as one to the table.
 */

const at = '2026-01-31T09:00:00.000Z';
const completion = { size: 1, etag: 'etag', version_id: 'v1', completed_at: at };

/** Every write of an upload after it was issued. */
const updates: Readonly<Record<string, ItemUpdate>> = {
  completed: updateToCompleted('a', completion),
  cancelled: updateToCancelled('a', at),
  superseded: updateToSuperseded('a', at),
};

/** The attributes that an update sets. */
function changedBy({ UpdateExpression = '', ExpressionAttributeNames = {} }: ItemUpdate): readonly string[] {
  expect(UpdateExpression).toMatch(/^SET /);
  return [...UpdateExpression.matchAll(/(#\w+) =/g)].map(
    ([, name = '']) => ExpressionAttributeNames[name] ?? '',
  );
}

const heldBy = ({ partitionKey, sortKey, attributes }: (typeof uploadsTable.indexes)[number]) =>
  new Set<string>([uploadsTable.partitionKey, partitionKey, sortKey, ...attributes]);

test('uploads are listed by file and by organisation, in the order of issue, and those that are due by time', () => {
  const attributes = ['client_id', 'issued_at', 'expires_at'];
  expect(uploadsTable).toEqual({
    partitionKey: 'upload_id',
    indexes: [
      { name: 'by-file', partitionKey: 'file_id', sortKey: 'upload_id', attributes },
      { name: 'by-organisation', partitionKey: 'organisation_id', sortKey: 'upload_id', attributes },
      { name: 'due', partitionKey: 'due_shard', sortKey: 'due_at', attributes: [], sparse: true },
    ],
  });
});

const byCreation = {
  name: 'by-creation',
  partitionKey: 'organisation_id',
  sortKey: 'created_at',
  attributes: [],
};

test('files are listed by organisation, with all attributes; files and clients by creation, with their keys', () => {
  expect(filesTable).toEqual({
    partitionKey: 'file_id',
    indexes: [{ name: 'by-organisation', partitionKey: 'organisation_id', sortKey: 'file_id' }, byCreation],
  });
  expect(clientsTable).toEqual({ partitionKey: 'client_id', indexes: [byCreation] });
});

const [byFile, byOrganisation, due] = uploadsTable.indexes;

describe.each([byFile, byOrganisation].map((index) => [index.name, index] as const))(
  'the index %s',
  (_, index) => {
    test.each(Object.entries(updates))('is not written when an upload is %s', (_, update) => {
      const changed = changedBy(update);
      expect(changed.length).toBeGreaterThan(0);
      expect(changed.filter((name) => heldBy(index).has(name))).toEqual([]);
    });

    test('is written once, when an upload is issued, with every attribute that it holds', () => {
      const { Item = {} } = putIssued({
        upload_id: 'a',
        file_id: 'file',
        organisation_id: 'acme',
        client_id: 'client',
        key: 'uploads/a',
        issued_at: at,
        expires_at: at,
      });
      expect([...heldBy(index)].filter((name) => !(name in Item))).toEqual([]);
    });
  },
);

describe('the index due', () => {
  const removed = ({ UpdateExpression = '' }: ItemUpdate) =>
    [...(UpdateExpression.split('REMOVE ')[1] ?? '').matchAll(/#(\w+)/g)].map(([, name]) => name);

  test.each([
    ['completed, with something left to do', updateToCompleted('a', completion, 'open')],
    ['cancelled by the command line', updateToCancelled('a', at)],
    ['superseded', updateToSuperseded('a', at)],
  ])('is not written when an upload is %s', (_, update) => {
    const changed = [...changedBy(update), ...removed(update)];
    expect(changed.filter((name) => heldBy(due).has(name ?? ''))).toEqual([]);
  });

  test.each([
    ['completed', updateToCompleted('a', completion)],
    ['completed after it was superseded', updateSupersededToCompleted('a', completion)],
    ['settled', updateToSettled('a')],
    ['cancelled and settled', updateToCancelledAndSettled('a', at)],
    ['looked at for the last time', updateToExpired({ upload_id: 'a', due_at: at }, at, undefined)],
  ])('loses an upload that is %s', (_, update) => {
    expect(removed(update)).toEqual(expect.arrayContaining(['due_shard', 'due_at']));
  });
});
