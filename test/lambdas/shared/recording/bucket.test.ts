import { S3Client } from '@aws-sdk/client-s3';
import { clientFor } from 'cloud-assembly-emulator/test/aws-services';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bucket, createBucket } from '../../../../lambdas/shared/recording/bucket.ts';
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
});

describe('the checksum of a version', () => {
  /** Answers every HeadObject with this error, and lets S3 answer the rest. */
  const refusing = (error: Error): S3Client => {
    const s3 = new S3Client({ ...clientFor(storage.aws), forcePathStyle: true });
    s3.middlewareStack.add(
      (next, { commandName }) =>
        async (args) => {
          if (commandName === 'HeadObjectCommand') {
            throw error;
          }
          return next(args);
        },
      { step: 'initialize' },
    );
    return s3;
  };
  const forbidden = Object.assign(new Error('403'), { name: 'Forbidden' });

  test('is that of its own content, which S3 computed', async () => {
    const first = await storage.put('uploads/f', 'something');
    await bucket.putSupersededTombstone('uploads/f');
    expect(await bucket.readChecksum('uploads/f', first)).toBe('1BGd19PD4OU=');
  });

  test('is none where S3 has none, and where the version is gone', async () => {
    const s3 = storage.clientAnswering({});
    expect(await createBucket(s3, names.bucket).readChecksum('uploads/f', 'v1')).toBeUndefined();
    s3.destroy();
    const other = await storage.put('uploads/g', 'something');
    expect(await bucket.readChecksum('uploads/f', other)).toBeUndefined();
  });

  test('is none where S3 answers 403 for a version that is gone, which it does to those who may not list', async () => {
    await storage.put('uploads/h', 'something');
    const s3 = refusing(forbidden);
    const gone = await storage.put('uploads/elsewhere', 'something');
    expect(await createBucket(s3, names.bucket).readChecksum('uploads/h', gone)).toBeUndefined();
    s3.destroy();
  });

  test('that may not be read is an error, so that a missing permission is noticed', async () => {
    const version = await storage.put('uploads/i', 'something');
    const s3 = refusing(forbidden);
    await expect(createBucket(s3, names.bucket).readChecksum('uploads/i', version)).rejects.toBe(forbidden);
    s3.destroy();
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
