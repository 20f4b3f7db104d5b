import type { S3Client } from '@aws-sdk/client-s3';
import { createDueObjects } from '../../../lambdas/reconcile-uploads/bucket.ts';
import { names, startStorage } from '../shared/recording/support.ts';
import { fakeClient } from '../support/fake-client.ts';

const storage = await startStorage();
const objects = createDueObjects(storage.s3, names.bucket);

test('an object is found until it is deleted, which keeps its version', async () => {
  const version = await storage.putContent('a', 'orders');
  expect(await objects.find('uploads/a')).toMatchObject({ versionId: version });
  await objects.deleteObject('uploads/a');
  expect(await objects.find('uploads/a')).toBeUndefined();
  const kept = { Bucket: names.bucket, Key: 'uploads/a', VersionId: version };
  expect(await storage.s3.headObject(kept)).toMatchObject({ ContentLength: 6 });
});

describe('an object', () => {
  test('is described by its current version, without quotes around the ETag', async () => {
    await storage.putContent('d', 'content');
    const tombstone = await storage.putContent('d', '', { Tagging: 'tombstone=superseded' });
    expect(await objects.find('uploads/d')).toEqual({
      key: 'uploads/d',
      versionId: tombstone,
      size: 0,
      etag: expect.stringMatching(/^[0-9a-f]{32}$/),
      createdAt: expect.any(Date),
    });
  });

  test('is not found under a key that never had one, nor under a shorter key', async () => {
    await storage.putContent('e-longer', 'long');
    expect(await objects.find('uploads/e')).toBeUndefined();
  });

  const response = { VersionId: 'v1', ContentLength: 1, ETag: '"etag"', LastModified: new Date(0) };

  test.for(Object.keys(response))('without %s in the response of S3 is an error', async (member) => {
    const { client } = fakeClient<S3Client>({ ...response, [member]: undefined });
    const finding = createDueObjects(client, names.bucket).find('uploads/a');
    await expect(finding).rejects.toThrow('S3 does not describe the object uploads/a');
  });

  test('that may not be read is an error, and not an absent object', async () => {
    const { client } = fakeClient<S3Client>(new Error('403'));
    await expect(createDueObjects(client, names.bucket).find('uploads/a')).rejects.toThrow('403');
  });
});
