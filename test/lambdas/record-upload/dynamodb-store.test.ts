import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createUploadStore } from '../../../lambdas/record-upload/dynamodb-store.ts';
import type { Content, UploadStore } from '../../../lambdas/record-upload/upload-store.ts';
import { createRecordUpload } from '../../../lambdas/sync/record-upload.ts';
import { startDynamodb } from '../../support/dynamodb.ts';
import { noon } from '../support/keys.ts';

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
let store: UploadStore;

beforeAll(async () => {
  dynamodb = await startDynamodb({ files: 'file_id', uploads: 'upload_id' });
  store = createUploadStore(dynamodb.client, { files: 'files', uploads: 'uploads' });
});
afterAll(() => dynamodb.stop());

const completion = { versionId: 'v1', size: 5_368_709_120, etag: 'etag', completedAt: noon.toISOString() };

beforeEach(async () => {
  const { client } = dynamodb;
  await client.send(
    new PutItemCommand({
      TableName: 'files',
      Item: { file_id: { S: 'file' }, organisation_id: { S: 'acme' }, name: { S: 'orders' } },
    }),
  );
  const issued = {
    uploadId: 'a',
    fileId: 'file',
    organisationId: 'acme',
    clientId: 'client',
    key: 'uploads/a',
    issuedAt: noon,
    expiresAt: noon,
  };
  await createRecordUpload(client, 'uploads')(issued, new AbortController().signal);
});

const contentOf = (uploadId: string): Content => ({ uploadId, key: `uploads/${uploadId}`, ...completion });

describe('an upload in the table', () => {
  test('is read as it was issued', async () => {
    const issued = { uploadId: 'a', fileId: 'file', key: 'uploads/a', state: 'issued', superseded: false };
    expect(await store.readUpload('a')).toEqual(issued);
    expect(await store.readUpload('unknown')).toBeUndefined();
  });

  test('is completed once, and then neither completed nor cancelled again', async () => {
    expect(await store.completeUpload('a', completion)).toBe(true);
    expect(await store.completeUpload('a', { ...completion, etag: 'other' })).toBe(false);
    expect(await store.cancelUpload('a', noon.toISOString())).toBe(false);
    expect(await store.readUpload('a')).toMatchObject({ state: 'completed', completion });
  });

  test('is cancelled once, and then not completed', async () => {
    expect(await store.cancelUpload('a', noon.toISOString())).toBe(true);
    expect(await store.completeUpload('a', completion)).toBe(false);
    const upload = await store.readUpload('a');
    expect(upload).toMatchObject({ state: 'cancelled' });
    expect(upload).not.toHaveProperty('completion');
  });

  test('is marked superseded once', async () => {
    expect(await store.markSuperseded('a', noon.toISOString())).toBe(true);
    expect(await store.markSuperseded('a', 'later')).toBe(false);
    expect(await store.readUpload('a')).toMatchObject({ superseded: true });
  });

  test('that does not exist is not made by a change', async () => {
    expect(await store.completeUpload('unknown', completion)).toBe(false);
    expect(await store.cancelUpload('unknown', noon.toISOString())).toBe(false);
    expect(await store.markSuperseded('unknown', noon.toISOString())).toBe(false);
    expect(await store.readUpload('unknown')).toBeUndefined();
  });
});

describe('a file in the table', () => {
  const read = async () => {
    const file = await store.readFile('file');
    if (file === undefined) throw new Error('no file');
    return file;
  };

  test('gets its first content only while it has none', async () => {
    const empty = await read();
    expect(empty).toEqual({ fileId: 'file', superseded: [] });
    expect(await store.replaceContent(empty, contentOf('a'))).toBe(true);
    expect(await store.replaceContent(empty, contentOf('b'))).toBe(false);
    expect(await read()).toEqual({ fileId: 'file', contentUploadId: 'a', superseded: [] });
  });

  test('gets later content only while it is as read, and keeps the replaced uploads in order', async () => {
    await store.replaceContent(await read(), contentOf('a'));
    const before = await read();
    expect(await store.replaceContent(before, contentOf('b'))).toBe(true);
    expect(await store.replaceContent(before, contentOf('c'))).toBe(false);
    expect(await store.replaceContent(await read(), contentOf('c'))).toBe(true);
    expect(await read()).toEqual({ fileId: 'file', contentUploadId: 'c', superseded: ['a', 'b'] });
  });

  test('gives up the first replaced upload, and only that one', async () => {
    for (const uploadId of ['a', 'b', 'c']) await store.replaceContent(await read(), contentOf(uploadId));
    expect(await store.shiftSuperseded('file', 'b')).toBe(false);
    expect(await store.shiftSuperseded('file', 'a')).toBe(true);
    expect(await store.shiftSuperseded('file', 'a')).toBe(false);
    expect(await store.shiftSuperseded('file', 'b')).toBe(true);
    expect(await store.shiftSuperseded('file', 'b')).toBe(false);
    expect((await read()).superseded).toEqual([]);
  });

  test('keeps its other attributes, and holds content as documented', async () => {
    await store.replaceContent(await read(), contentOf('a'));
    const { Item } = await dynamodb.client.send(
      new GetItemCommand({ TableName: 'files', Key: { file_id: { S: 'file' } } }),
    );
    expect(Item).toEqual({
      file_id: { S: 'file' },
      organisation_id: { S: 'acme' },
      name: { S: 'orders' },
      content: {
        M: {
          upload_id: { S: 'a' },
          key: { S: 'uploads/a' },
          version_id: { S: 'v1' },
          size: { N: '5368709120' },
          etag: { S: 'etag' },
          completed_at: { S: noon.toISOString() },
        },
      },
    });
  });

  test('that does not exist is not made by new content', async () => {
    const unknown = { fileId: 'unknown', superseded: [] };
    expect(await store.replaceContent(unknown, contentOf('a'))).toBe(false);
    expect(await store.replaceContent({ ...unknown, contentUploadId: 'a' }, contentOf('b'))).toBe(false);
    expect(await store.readFile('unknown')).toBeUndefined();
  });
});
