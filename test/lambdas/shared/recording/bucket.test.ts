import type { S3Client } from '@aws-sdk/client-s3';
import { createBucket } from '../../../../lambdas/shared/recording/bucket.ts';
import { fakeClient } from '../../support/fake-client.ts';
import { names, startStorage } from './support.ts';

const storage = await startStorage();
const bucket = createBucket(storage.s3, names.bucket);

test('a tombstone is recognised by its own version', async () => {
  const content = await storage.putContent('b', '');
  const cancelled = await storage.putContent('b', '', { Tagging: 'tombstone=cancelled' });
  await storage.putContent('b', '', { Tagging: 'tombstone=superseded' });
  expect(await bucket.readTombstone('uploads/b', content)).toBeUndefined();
  expect(await bucket.readTombstone('uploads/b', cancelled)).toBe('cancelled');
});

describe('the checksum of a version', () => {
  test('is that of its own content, which S3 computed', async () => {
    const first = await storage.putContent('f', 'something');
    await storage.putContent('f', 'something else');
    expect(await bucket.readChecksum('uploads/f', first)).toBe('1BGd19PD4OU=');
  });

  test('is absent if S3 has none, or the version is gone', async () => {
    const { client } = fakeClient<S3Client>({});
    expect(await createBucket(client, names.bucket).readChecksum('uploads/f', 'v1')).toBeUndefined();
    const other = await storage.putContent('g', 'something');
    expect(await bucket.readChecksum('uploads/f', other)).toBeUndefined();
  });
});
