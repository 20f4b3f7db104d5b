import { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bucket, createBucket } from '../../../lambdas/recording/bucket.ts';
import { clientFor } from '../../emulator/support/aws-services.ts';
import { names, type Storage, startStorage } from './support.ts';

let storage: Storage;
let bucket: Bucket;

beforeAll(async () => {
  storage = await startStorage();
  bucket = createBucket(storage.s3, names.bucket);
});
afterAll(() => storage.end());

describe('a tombstone in the bucket', () => {
  test('becomes the latest version, empty and tagged, and the content stays below it', async () => {
    const content = await storage.put('uploads/a', 'orders');
    await bucket.putSupersededTombstone('uploads/a');
    expect(await storage.read('uploads/a')).toEqual({
      text: '',
      tags: [{ Key: 'tombstone', Value: 'superseded' }],
    });
    expect(await storage.read('uploads/a', content)).toMatchObject({ text: 'orders' });
  });

  test('is told from content by its own version, not by the latest one', async () => {
    const content = await storage.put('uploads/b', '');
    const cancelled = await storage.put('uploads/b', '', 'tombstone=cancelled');
    await bucket.putSupersededTombstone('uploads/b');
    expect(await bucket.readTombstone('uploads/b', content)).toBeUndefined();
    expect(await bucket.readTombstone('uploads/b', cancelled)).toBe('cancelled');
  });

  test('is not there when S3 leaves out the tags of an object', async () => {
    const content = await storage.put('uploads/c', '');
    const s3 = storage.clientAnswering({});
    expect(await createBucket(s3, names.bucket).readTombstone('uploads/c', content)).toBeUndefined();
    s3.destroy();
  });

  test('that cannot be read is an error, not content', async () => {
    await expect(bucket.readTombstone('uploads/none', 'null')).rejects.toThrow();
  });
});

describe('the versions of an object', () => {
  test('are listed from the one that was stored first, tombstones included', async () => {
    const first = await storage.put('uploads/d', 'first');
    const second = await storage.put('uploads/d', 'second');
    await bucket.putSupersededTombstone('uploads/d');
    const versions = await bucket.listVersions('uploads/d');
    expect(versions.slice(0, 2)).toEqual([first, second]);
    expect(versions).toHaveLength(3);
  });

  test('are those of its own key, and not of a longer one', async () => {
    const version = await storage.put('uploads/e', 'short');
    await storage.put('uploads/e-longer', 'long');
    expect(await bucket.listVersions('uploads/e')).toEqual([version]);
    expect(await bucket.listVersions('uploads/none')).toEqual([]);
  });

  test('are none in an answer without versions', async () => {
    const s3 = storage.clientAnswering({});
    expect(await createBucket(s3, names.bucket).listVersions('uploads/a')).toEqual([]);
    s3.destroy();
  });

  test('without an id are left out', async () => {
    const s3 = storage.clientAnswering({
      Versions: [{ Key: 'uploads/a' }, { Key: 'uploads/a', VersionId: 'v1' }],
    });
    expect(await createBucket(s3, names.bucket).listVersions('uploads/a')).toEqual(['v1']);
    s3.destroy();
  });

  test('are read page by page, each from where the page before ended', async () => {
    const s3 = new S3Client(clientFor(storage.aws));
    const pages = [
      {
        Versions: [{ Key: 'uploads/a', VersionId: 'v3' }],
        IsTruncated: true,
        NextKeyMarker: 'uploads/a',
        NextVersionIdMarker: 'v3',
      },
      { Versions: ['v2', 'v1'].map((VersionId) => ({ Key: 'uploads/a', VersionId })), IsTruncated: false },
    ];
    const asked: unknown[] = [];
    s3.middlewareStack.add(
      () =>
        async ({ input }) => {
          asked.push({ ...input });
          return { response: {}, output: { $metadata: {}, ...pages[asked.length - 1] } };
        },
      { step: 'initialize' },
    );
    expect(await createBucket(s3, names.bucket).listVersions('uploads/a')).toEqual(['v1', 'v2', 'v3']);
    expect(asked).toMatchObject([
      { Bucket: names.bucket, Prefix: 'uploads/a' },
      { Bucket: names.bucket, Prefix: 'uploads/a', KeyMarker: 'uploads/a', VersionIdMarker: 'v3' },
    ]);
    s3.destroy();
  });
});
