import { expect, test } from 'vitest';
import type { ItemUpdate } from '../../storage/attributes.ts';
import {
  putIssued,
  updateToCancelled,
  updateToCompleted,
  updateToCompletedAndSuperseded,
  updateToSuperseded,
  uploadsTable,
} from '../../storage/upload.ts';
import {
  updateToCancelledAndAnnounced,
  updateToContentDeleted,
  updateToDone,
  updateToExpired,
  updateToUnused,
} from '../../storage/upload-due.ts';

/**
 * DynamoDB writes to an index only when an attribute that the index holds changes ("Using Global Secondary Indexes in
 * DynamoDB"). Each write to an index costs as much as one to the table.
 */

const at = '2026-01-31T09:00:00.000Z';
const completion = { size: 1, etag: 'etag', version_id: 'v1', completed_at: at };

/** The attributes that an update sets or removes. */
function changedBy({ UpdateExpression = '' }: ItemUpdate): string[] {
  const clauses = UpdateExpression.split(/(?=SET |REMOVE )/);
  const names = clauses.flatMap((clause) =>
    [...clause.matchAll(clause.startsWith('SET') ? /#(\w+) =/g : /#(\w+)/g)].map(([, name = '']) => name),
  );
  expect(names.length).toBeGreaterThan(0);
  return names;
}

const [byFile, byOrganisation, due] = uploadsTable.indexes;
const heldBy = ({ partitionKey, sortKey, attributes }: (typeof uploadsTable.indexes)[number]) =>
  new Set<string>([uploadsTable.partitionKey, partitionKey, sortKey, ...attributes]);

const a = '019c1347-d280-7001-8f43-5e0d1c2b3a4a';
const found = { upload_id: a, due_at: at };

/** Updates that make an upload due at another time, or leave its time. */
const others = [
  updateToCancelled(a, at),
  updateToSuperseded(a, at),
  updateToCompletedAndSuperseded(a, completion, at),
  updateToExpired(found, at, at),
];
const last = [
  updateToCompleted(a, completion),
  updateToCancelledAndAnnounced(a, at),
  updateToExpired(found, at, undefined),
  updateToUnused(found),
  updateToDone(found),
  updateToContentDeleted(found, at),
];

test('the indexes for lists are written once, when an upload is issued', () => {
  const owner = { file_id: 'file', organisation_id: 'acme', client_id: 'client' };
  const times = { issued_at: at, expires_at: at };
  const { Item = {} } = putIssued({ upload_id: a, ...owner, key: 'uploads/a', ...times });
  for (const index of [byFile, byOrganisation]) {
    expect(Object.keys(Item)).toEqual(expect.arrayContaining([...heldBy(index)]));
    const written = [...others, ...last].flatMap(changedBy).filter((name) => heldBy(index).has(name));
    expect(written).toEqual([]);
  }
});

test('the index of due uploads loses each upload of which nothing is left to do', () => {
  for (const update of last) {
    expect(changedBy(update).filter((name) => heldBy(due).has(name))).toEqual(['due_shard', 'due_at']);
    expect(update.UpdateExpression).toMatch(/REMOVE .*#due_shard, #due_at/);
  }
});
