import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Bucket, createBucket } from '../../../lambdas/record-upload/bucket.ts';
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
