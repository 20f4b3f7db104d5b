import { writeFile } from 'node:fs/promises';
import { expect, test } from 'vitest';
import { openBucketFiles } from '../../s3/bucket-files.ts';
import type { ObjectVersion } from '../../s3/object-version.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const version: ObjectVersion = {
  key: 'uploads/1',
  versionId: 'version',
  sequencer: '0001',
  size: 0,
  etag: 'd41d8cd98f00b204e9800998ecf8427e',
  lastModified: 0,
  deleteMarker: true,
  contentType: 'text/plain',
  headers: {},
  tags: {},
};

test('a truncated description of an object is rejected by name', async () => {
  const folder = await temporaryFolder();
  const files = await openBucketFiles(folder);
  await files.publish(version, undefined);
  const [name = ''] = await files.versionNames(version.key);
  expect(await files.read(version.key, name)).toEqual(version);
  await writeFile(files.descriptionPath(version), '{"key":"uploads/1","vers');
  await expect(files.read(version.key, name)).rejects.toThrow(
    `The state file ${files.descriptionPath(version)} is broken: it is not JSON, or is truncated. Restore it from a copy, or start with another state folder, which leaves this one unchanged.`,
  );
});
