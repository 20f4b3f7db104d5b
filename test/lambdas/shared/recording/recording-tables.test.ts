import { PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import {
  createReadItem,
  createTables,
  type Tables,
} from '../../../../lambdas/shared/recording/recording-tables.ts';
import { type Content, updateToDeletedFile } from '../../../../storage/file.ts';
import { putIssued } from '../../../../storage/upload.ts';
import { startDynamodb } from '../../../support/dynamodb.ts';
import { noon } from '../../../support/signing-keys.ts';

/** The tests of `storage/` have the condition of each write, and what an item looks like. */

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
let tables: Tables;
const names = { files: 'files', uploads: 'uploads' };

beforeAll(async () => {
  dynamodb = await startDynamodb({ files: 'file_id', uploads: 'upload_id' });
});
afterAll(() => dynamodb.stop());

const at = noon.toISOString();
const completion = { version_id: 'v1', size: 5_368_709_120, etag: 'etag', completed_at: at };
/** Issued at noon. */
const a = '019c1347-d280-7001-8f43-5e0d1c2b3a4a';
const issued = {
  upload_id: a,
  file_id: 'file',
  organisation_id: 'acme',
  client_id: 'client',
  key: `uploads/${a}`,
  issued_at: at,
  expires_at: at,
};
const firstLook = { due_shard: '2', due_at: '2026-01-31T09:10:00.000Z' };

const contentOf = (uploadId: string): Content => ({
  upload_id: uploadId,
  key: `uploads/${uploadId}`,
  ...completion,
});

const issue = () =>
  dynamodb.client.send(new PutItemCommand({ TableName: names.uploads, Item: putIssued(issued).Item }));

beforeEach(async () => {
  tables = createTables(dynamodb.client, names, createReadItem(dynamodb.client));
  const file = { file_id: { S: 'file' }, organisation_id: { S: 'acme' }, name: { S: 'orders' } };
  await dynamodb.client.send(new PutItemCommand({ TableName: names.files, Item: file }));
  await issue();
});

const later = '2026-05-01T12:00:00.000Z';

describe('an upload in the table', () => {
  test('is read as it was issued, and completed or cancelled once', async () => {
    expect(await tables.readUpload('unknown')).toBeUndefined();
    expect(await tables.readUpload(a)).toEqual({ ...issued, ...firstLook, state: 'issued' });
    expect(await tables.completeUpload(a, completion)).toBe(true);
    expect(await tables.completeUpload(a, { ...completion, etag: 'other' })).toBe(false);
    expect(await tables.cancelUpload(a, at)).toBe(false);
    expect(await tables.readUpload(a)).toEqual({ ...issued, ...completion, state: 'completed' });
    await issue();
    expect(await tables.cancelUpload(a, at)).toBe(true);
    expect(await tables.completeUpload(a, completion)).toBe(false);
    expect(await tables.readUpload(a)).toEqual({ ...issued, state: 'cancelled', cancelled_at: at });
  });

  test('is marked superseded once, and can be completed after that', async () => {
    expect(await tables.markSuperseded(a, at)).toBe(true);
    expect(await tables.markSuperseded(a, later)).toBe(false);
    expect(await tables.completeUpload(a, completion)).toBe(false);
    expect(await tables.completeSuperseded(a, completion, later)).toBe(true);
    const superseded = { ...completion, state: 'completed', superseded_at: at };
    expect(await tables.readUpload(a)).toMatchObject(superseded);
  });
});

describe('a file in the table', () => {
  test('gets new content only while it has the content that was read', async () => {
    expect(await tables.readFileContent('unknown')).toBeUndefined();
    expect(await tables.readFileContent('file')).toEqual({ file_id: 'file' });
    const outcomes = [
      await tables.replaceContent('file', undefined, contentOf('a')),
      await tables.replaceContent('file', undefined, contentOf('x')),
      await tables.replaceContent('file', 'a', contentOf('b')),
      await tables.replaceContent('file', 'a', contentOf('x')),
      await tables.replaceContent('file', 'b', contentOf('c')),
    ];
    expect(outcomes).toEqual([true, false, true, false, true]);
    expect(await tables.readFileContent('file')).toEqual({ file_id: 'file', content: contentOf('c') });
  });

  test('that is deleted gets no content', async () => {
    const remove = updateToDeletedFile('file', at);
    await dynamodb.client.send(new UpdateItemCommand({ TableName: names.files, ...remove }));
    expect(await tables.replaceContent('file', undefined, contentOf('a'))).toBe(false);
    expect(await tables.readFileContent('file')).toEqual({ file_id: 'file', deleted_at: at });
  });
});
