import { expect, test } from 'vitest';
import type { ItemUpdate } from '../../storage/attributes.ts';
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

/** The attributes that an update sets or removes. */
function changedBy({ UpdateExpression = '' }: ItemUpdate): string[] {
  const [set = '', remove = ''] = UpdateExpression.split('REMOVE ');
  const names = [...set.matchAll(/#(\w+) =/g), ...remove.matchAll(/#(\w+)/g)].map(([, name = '']) => name);
  expect(names.length).toBeGreaterThan(0);
  return names;
}

const [byFile, byOrganisation, due] = uploadsTable.indexes;
const heldBy = ({ partitionKey, sortKey, attributes }: (typeof uploadsTable.indexes)[number]) =>
  new Set<string>([uploadsTable.partitionKey, partitionKey, sortKey, ...attributes]);

const open = [
  updateToCompleted('a', completion, 'open'),
  updateToCancelled('a', at),
  updateToSuperseded('a', at),
];
const settling = [
  updateToCompleted('a', completion),
  updateSupersededToCompleted('a', completion),
  updateToSettled('a'),
  updateToCancelledAndSettled('a', at),
  updateToExpired({ upload_id: 'a', due_at: at }, at, undefined),
];

test('the indexes for lists are written once, when an upload is issued', () => {
  const owner = { file_id: 'file', organisation_id: 'acme', client_id: 'client' };
  const times = { issued_at: at, expires_at: at };
  const { Item = {} } = putIssued({ upload_id: 'a', ...owner, key: 'uploads/a', ...times });
  for (const index of [byFile, byOrganisation]) {
    expect(Object.keys(Item)).toEqual(expect.arrayContaining([...heldBy(index)]));
    const written = [...open, ...settling].flatMap(changedBy).filter((name) => heldBy(index).has(name));
    expect(written).toEqual([]);
  }
});

test('the index of due uploads loses each upload that is settled, and is written by nothing else', () => {
  expect(open.flatMap(changedBy).filter((name) => heldBy(due).has(name))).toEqual([]);
  for (const update of settling) {
    expect(update.UpdateExpression).toMatch(/ ?REMOVE .*#due_shard, #due_at/);
  }
});
