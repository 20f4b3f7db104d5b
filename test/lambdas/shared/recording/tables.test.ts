import { GetItemCommand, PutItemCommand, UpdateItemCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { createTables, type Tables } from '../../../../lambdas/shared/recording/tables.ts';
import { createRecordIssued } from '../../../../lambdas/sync/tables.ts';
import { type Content, type FileContent, updateToDeletedFile } from '../../../../storage/file.ts';
import type { IssuedUpload } from '../../../../storage/upload.ts';
import { startDynamodb } from '../../../support/dynamodb.ts';
import { noon } from '../../../support/signing-keys.ts';

let dynamodb: Awaited<ReturnType<typeof startDynamodb>>;
let tables: Tables;

beforeAll(async () => {
  dynamodb = await startDynamodb({ files: 'file_id', uploads: 'upload_id' });
  tables = createTables(dynamodb.client, { files: 'files', uploads: 'uploads' });
});
afterAll(() => dynamodb.stop());

const completion = { version_id: 'v1', size: 5_368_709_120, etag: 'etag', completed_at: noon.toISOString() };

beforeEach(async () => {
  const { client } = dynamodb;
  await client.send(
    new PutItemCommand({
      TableName: 'files',
      Item: { file_id: { S: 'file' }, organisation_id: { S: 'acme' }, name: { S: 'orders' } },
    }),
  );
  await createRecordIssued(client, 'uploads')(issued, new AbortController().signal);
});

const issued: Omit<IssuedUpload, 'state'> = {
  upload_id: 'a',
  file_id: 'file',
  organisation_id: 'acme',
  client_id: 'client',
  key: 'uploads/a',
  issued_at: noon.toISOString(),
  expires_at: noon.toISOString(),
};

const contentOf = (uploadId: string): Content => ({
  upload_id: uploadId,
  key: `uploads/${uploadId}`,
  ...completion,
});

describe('an upload in the table', () => {
  test('is read as it was issued', async () => {
    expect(await tables.readUpload('a')).toEqual({
      ...issued,
      state: 'issued',
      due_shard: '2',
      due_at: '2026-01-31T09:10:00.000Z',
    });
    expect(await tables.readUpload('unknown')).toBeUndefined();
  });

  test('is completed once, and then neither completed nor cancelled again', async () => {
    expect(await tables.completeUpload('a', completion)).toBe(true);
    expect(await tables.completeUpload('a', { ...completion, etag: 'other' })).toBe(false);
    expect(await tables.cancelUpload('a', noon.toISOString())).toBe(false);
    expect(await tables.readUpload('a')).toMatchObject({ state: 'completed', ...completion });
  });

  test('that is completed, and left open, is due until it is settled', async () => {
    expect(await tables.settleUpload('a')).toBe(false);
    expect(await tables.completeUpload('a', completion, 'open')).toBe(true);
    expect(await tables.readUpload('a')).toMatchObject({
      announced: true,
      due_at: '2026-01-31T09:10:00.000Z',
    });
    expect(await tables.settleUpload('a')).toBe(true);
    const settled = await tables.readUpload('a');
    expect(settled).toMatchObject({ state: 'completed', ...completion });
    expect(settled).not.toHaveProperty('due_at');
    expect(settled).not.toHaveProperty('announced');
  });

  test('is cancelled once, and then not completed', async () => {
    expect(await tables.cancelUpload('a', noon.toISOString())).toBe(true);
    expect(await tables.completeUpload('a', completion)).toBe(false);
    const upload = await tables.readUpload('a');
    expect(upload).toMatchObject({ state: 'cancelled' });
    expect(upload).not.toHaveProperty('version_id');
  });

  test('is marked superseded once', async () => {
    expect(await tables.markSuperseded('a', noon.toISOString())).toBe(true);
    expect(await tables.markSuperseded('a', 'later')).toBe(false);
    expect(await tables.readUpload('a')).toMatchObject({ superseded_at: noon.toISOString() });
  });

  test('that does not exist is not made by a change', async () => {
    expect(await tables.completeUpload('unknown', completion)).toBe(false);
    expect(await tables.cancelUpload('unknown', noon.toISOString())).toBe(false);
    expect(await tables.markSuperseded('unknown', noon.toISOString())).toBe(false);
    expect(await tables.readUpload('unknown')).toBeUndefined();
  });
});

describe('a file in the table', () => {
  const read = async () => {
    const file = await tables.readFileContent('file');
    if (file === undefined) {
      throw new Error('no file');
    }
    return file;
  };
  const replace = (file: FileContent, content: Content) =>
    tables.replaceContent('file', file.content?.upload_id, content);

  test('gets its first content only while it has none', async () => {
    const empty = await read();
    expect(empty).toEqual({});
    expect(await replace(empty, contentOf('a'))).toBe(true);
    expect(await replace(empty, contentOf('b'))).toBe(false);
    expect(await read()).toEqual({ content: contentOf('a') });
  });

  test('gets later content only while it is as read, and keeps the replaced uploads in order', async () => {
    await replace(await read(), contentOf('a'));
    const before = await read();
    expect(await replace(before, contentOf('b'))).toBe(true);
    expect(await replace(before, contentOf('c'))).toBe(false);
    expect(await replace(await read(), contentOf('c'))).toBe(true);
    expect(await read()).toEqual({ content: contentOf('c'), superseded: ['a', 'b'] });
  });

  test('gives up the first replaced upload, and only that one', async () => {
    for (const uploadId of ['a', 'b', 'c']) {
      await replace(await read(), contentOf(uploadId));
    }
    expect(await tables.shiftSuperseded('file', 'b')).toBe(false);
    expect(await tables.shiftSuperseded('file', 'a')).toBe(true);
    expect(await tables.shiftSuperseded('file', 'a')).toBe(false);
    expect(await tables.shiftSuperseded('file', 'b')).toBe(true);
    expect(await tables.shiftSuperseded('file', 'b')).toBe(false);
    expect((await read()).superseded).toEqual([]);
  });

  test('keeps its other attributes, and holds content as documented', async () => {
    await replace(await read(), contentOf('a'));
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
    expect(await tables.replaceContent('unknown', undefined, contentOf('a'))).toBe(false);
    expect(await tables.replaceContent('unknown', 'a', contentOf('b'))).toBe(false);
    expect(await tables.readFileContent('unknown')).toBeUndefined();
  });
});

describe('with a retention of upload records', () => {
  const days = 30;
  const inDays = (time: string) => Math.ceil(Date.parse(time) / 1000) + days * 86_400;
  let limited: Tables;
  beforeEach(async () => {
    limited = createTables(dynamodb.client, {
      files: 'files',
      uploads: 'uploads',
      uploadRecordRetentionDays: days,
    });
    await createRecordIssued(dynamodb.client, 'uploads', days)(issued, new AbortController().signal);
  });
  const endOf = async () => {
    const read = new GetItemCommand({ TableName: 'uploads', Key: { upload_id: { S: 'a' } } });
    const { Item } = await dynamodb.client.send(read);
    return Item?.delete_after?.N === undefined ? undefined : Number(Item.delete_after.N);
  };

  test('an upload that nobody uses ends so long after its URL', async () => {
    expect(await endOf()).toBe(inDays(issued.expires_at));
  });

  test('the record of content has no end, until the content is replaced', async () => {
    expect(await limited.completeUpload('a', completion)).toBe(true);
    expect(await endOf()).toBeUndefined();
    const replacedAt = '2026-05-01T12:00:00.000Z';
    expect(await limited.markSuperseded('a', replacedAt)).toBe(true);
    expect(await endOf()).toBe(inDays(replacedAt));
  });

  test('an upload that was replaced before it was completed keeps its end', async () => {
    const replacedAt = '2026-05-01T12:00:00.000Z';
    expect(await limited.markSuperseded('a', replacedAt)).toBe(true);
    expect(await limited.completeUpload('a', completion)).toBe(true);
    expect(await endOf()).toBe(inDays(replacedAt));
    expect((await limited.readUpload('a'))?.state).toBe('completed');
  });
});

describe('a deleted file', () => {
  test('gets no content, its first neither', async () => {
    const remove = updateToDeletedFile('file', noon.toISOString());
    await dynamodb.client.send(new UpdateItemCommand({ TableName: 'files', ...remove }));
    const content = { upload_id: 'a', key: 'uploads/a', ...completion };
    expect(await tables.replaceContent('file', undefined, content)).toBe(false);
    expect((await tables.readFileContent('file'))?.deleted_at).toBe(noon.toISOString());
  });
});
