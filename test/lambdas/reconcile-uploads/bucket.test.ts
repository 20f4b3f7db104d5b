import type { S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createDueObjects, type DueObjects } from '../../../lambdas/reconcile-uploads/bucket.ts';
import { names, type Storage, startStorage } from '../shared/recording/support.ts';
import { fakeClient } from '../support/fake-client.ts';

let storage: Storage;
let objects: DueObjects;

beforeAll(async () => {
  storage = await startStorage();
  objects = createDueObjects(storage.s3, names.bucket);
});
afterAll(() => storage.end());

test('an object exists until it is deleted, and its versions can be read after that', async () => {
  const version = await storage.put('uploads/a', 'orders');
  expect(await objects.exists('uploads/a')).toBe(true);
  await objects.deleteObject('uploads/a');
  expect(await objects.exists('uploads/a')).toBe(false);
  expect(await objects.exists('uploads/none')).toBe(false);
  expect(await storage.read('uploads/a', version)).toMatchObject({ text: 'orders' });
});

describe('the first version of an object', () => {
  test('is the one that was stored first, without quotes around its ETag', async () => {
    const first = await storage.put('uploads/d', 'first');
    await storage.put('uploads/d', 'second');
    await storage.put('uploads/d', '', 'tombstone=superseded');
    expect(await objects.readFirstVersion('uploads/d')).toEqual({
      key: 'uploads/d',
      versionId: first,
      size: 5,
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: expect.any(Date),
    });
  });

  test('is that of its own key, and not of a longer one', async () => {
    const version = await storage.put('uploads/e', 'short');
    await storage.put('uploads/e-longer', 'long');
    expect(await objects.readFirstVersion('uploads/e')).toMatchObject({ versionId: version });
    expect(await objects.readFirstVersion('uploads/')).toBeUndefined();
  });

  const version = (VersionId: string) => ({
    Key: 'uploads/a',
    VersionId,
    Size: 1,
    ETag: '"etag"',
    LastModified: new Date(0),
  });

  test('is an error when S3 does not say what it is', async () => {
    for (const name of ['VersionId', 'Size', 'ETag', 'LastModified']) {
      const { client } = fakeClient<S3Client>({ Versions: [{ ...version('v1'), [name]: undefined }] });
      const reading = createDueObjects(client, names.bucket).readFirstVersion('uploads/a');
      await expect(reading, name).rejects.toThrow('S3 does not describe the version of uploads/a');
    }
  });

  test('is found page by page, each from where the page before ended', async () => {
    const marker = { NextKeyMarker: 'uploads/a', NextVersionIdMarker: 'v3' };
    const { client, inputs } = fakeClient<S3Client>(
      { Versions: [version('v3')], IsTruncated: true, ...marker },
      { Versions: ['v2', 'v1'].map(version), IsTruncated: false },
    );
    const first = await createDueObjects(client, names.bucket).readFirstVersion('uploads/a');
    expect(first?.versionId).toBe('v1');
    const asked = { Bucket: names.bucket, Prefix: 'uploads/a' };
    expect(inputs).toEqual([asked, { ...asked, KeyMarker: 'uploads/a', VersionIdMarker: 'v3' }]);
  });
});
