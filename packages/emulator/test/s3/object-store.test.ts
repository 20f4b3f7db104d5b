import { expect, it, vi } from 'vitest';
import type { BucketFiles } from '../../s3/bucket-files.ts';
import { createObjectStore, type ObjectListener } from '../../s3/object-store.ts';

const content = {
  path: '/incoming',
  size: 1,
  etag: 'e',
  checksum: { algorithm: 'CRC64NVME', value: 'AAAAAAAAAAA=' } as const,
  contentType: 'text/plain',
  headers: {},
  tags: {},
};

function setUp(publish: BucketFiles['publish']) {
  const files: Pick<BucketFiles, 'versionNames' | 'descriptionPath' | 'publish'> = {
    versionNames: async () => [],
    descriptionPath: () => '/description',
    publish,
  };
  const announcement = { send: vi.fn(), withdraw: vi.fn(async () => undefined) };
  const listener: ObjectListener = { prepare: async () => announcement };
  const store = createObjectStore(files as BucketFiles, () => new Date(0));
  return { announcement, put: () => store.put('key', content, 'absent', listener) };
}

it('the event of an object that could not be written is withdrawn', async () => {
  const { announcement, put } = setUp(() => Promise.reject(new Error('ENOSPC')));
  await expect(put()).rejects.toThrow('ENOSPC');
  expect(announcement.withdraw).toHaveBeenCalledTimes(1);
  expect(announcement.send).not.toHaveBeenCalled();
});
