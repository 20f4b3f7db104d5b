import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTables, type Tables } from '../../../../lambdas/shared/recording/tables.ts';
import { createRecordIssued } from '../../../../lambdas/sync/tables.ts';
import { type Content, updateToDeletedFile } from '../../../../storage/file.ts';
import { startDynamodb } from '../../../support/dynamodb.ts';
import { noon } from '../../../support/signing-keys.ts';

/** The tests of `storage/` have the condition of each write, and what an item looks like. */

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
let tables: Tables;
let retaining: Tables;

const names = { files: 'files', uploads: 'uploads' };
const retentionDays = 30;

beforeAll(async () => {
  dynamodb = await startDynamodb({ files: 'file_id', uploads: 'upload_id' });
  tables = createTables(dynamodb.client, names);
  retaining = createTables(dynamodb.client, { ...names, uploadRecordRetentionDays: retentionDays });
});
afterAll(() => dynamodb.stop());

const at = noon.toISOString();
const completion = { version_id: 'v1', size: 5_368_709_120, etag: 'etag', completed_at: at };
const issued = {
  upload_id: 'a',
  file_id: 'file',
  organisation_id: 'acme',
  client_id: 'client',
  key: 'uploads/a',
  issued_at: at,
  expires_at: at,
};
const due = { due_shard: '2', due_at: '2026-01-31T09:10:00.000Z' };

const contentOf = (uploadId: string): Content => ({
  upload_id: uploadId,
  key: `uploads/${uploadId}`,
  ...completion,
});

const issue = (days?: number) =>
  createRecordIssued(dynamodb.client, names.uploads, days)(issued, new AbortController().signal);

beforeEach(async () => {
  const file = { file_id: { S: 'file' }, organisation_id: { S: 'acme' }, name: { S: 'orders' } };
  await dynamodb.client.send(new PutItemCommand({ TableName: names.files, Item: file }));
  await issue();
});

const daysAfter = (time: string) => new Date(Date.parse(time) + retentionDays * 86_400_000).toISOString();
const later = '2026-05-01T12:00:00.000Z';

describe('an upload in the table', () => {
  test('is read as it was issued, and completed or cancelled once', async () => {
    expect(await tables.readUpload('unknown')).toBeUndefined();
    expect(await tables.readUpload('a')).toEqual({ ...issued, ...due, state: 'issued' });
    expect(await tables.completeUpload('a', completion)).toBe(true);
    expect(await tables.completeUpload('a', { ...completion, etag: 'other' })).toBe(false);
    expect(await tables.cancelUpload('a', at)).toBe(false);
    expect(await tables.readUpload('a')).toEqual({ ...issued, ...completion, state: 'completed' });
    await issue();
    expect(await tables.cancelUpload('a', at)).toBe(true);
    expect(await tables.completeUpload('a', completion)).toBe(false);
    expect(await tables.readUpload('a')).toEqual({ ...issued, state: 'cancelled', cancelled_at: at });
  });

  test('that is completed, and left open, is due until it is settled', async () => {
    expect(await tables.settleUpload('a')).toBe(false);
    expect(await tables.completeUpload('a', completion, 'open')).toBe(true);
    expect(await tables.readUpload('a')).toMatchObject({ ...due, announced: true });
    expect(await tables.settleUpload('a')).toBe(true);
    expect(await tables.readUpload('a')).toEqual({ ...issued, ...completion, state: 'completed' });
  });

  test('is marked superseded once, and can be completed after that', async () => {
    expect(await tables.markSuperseded('a', at)).toBe(true);
    expect(await tables.markSuperseded('a', later)).toBe(false);
    expect(await tables.completeUpload('a', completion)).toBe(true);
    expect(await tables.readUpload('a')).toEqual({
      ...issued,
      ...completion,
      state: 'completed',
      superseded_at: at,
    });
  });

  test('has an end after the days of its retention, unless it is content', async () => {
    await issue(retentionDays);
    const end = async () => (await retaining.readUpload('a'))?.delete_after;
    expect(await end()).toBe(daysAfter(issued.expires_at));
    await retaining.completeUpload('a', completion);
    expect(await end()).toBeUndefined();
    await retaining.markSuperseded('a', later);
    expect(await end()).toBe(daysAfter(later));
    // Replaced before it was completed: it keeps its end.
    await issue(retentionDays);
    await retaining.markSuperseded('a', later);
    await retaining.completeUpload('a', completion);
    expect(await end()).toBe(daysAfter(later));
  });
});

describe('a file in the table', () => {
  test('gets new content only while it has the content that was read, and keeps the replaced uploads in order', async () => {
    expect(await tables.readFileContent('unknown')).toBeUndefined();
    expect(await tables.readFileContent('file')).toEqual({});
    const outcomes = [
      await tables.replaceContent('file', undefined, contentOf('a')),
      await tables.replaceContent('file', undefined, contentOf('x')),
      await tables.replaceContent('file', 'a', contentOf('b')),
      await tables.replaceContent('file', 'a', contentOf('x')),
      await tables.replaceContent('file', 'b', contentOf('c')),
    ];
    expect(outcomes).toEqual([true, false, true, false, true]);
    expect(await tables.readFileContent('file')).toEqual({ content: contentOf('c'), superseded: ['a', 'b'] });
    expect(await tables.shiftSuperseded('file', 'b')).toBe(false);
    expect(await tables.shiftSuperseded('file', 'a')).toBe(true);
    expect(await tables.readFileContent('file')).toMatchObject({ superseded: ['b'] });
  });

  test('that is deleted gets no content', async () => {
    const remove = updateToDeletedFile('file', at);
    await dynamodb.client.send(new UpdateItemCommand({ TableName: names.files, ...remove }));
    expect(await tables.replaceContent('file', undefined, contentOf('a'))).toBe(false);
    expect(await tables.readFileContent('file')).toEqual({ deleted_at: at });
  });
});
