import { writeFile } from 'node:fs/promises';
import { openBucketFiles } from '../../s3/bucket-files.ts';
import { createObjectStore } from '../../s3/object-store.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const now = () => new Date(0);

it('a truncated description of an object is rejected by name', async () => {
  const files = await openBucketFiles(await temporaryFolder());
  const store = createObjectStore(files, now);
  const path = files.descriptionPath(await store.putDeleteMarker('uploads/1'));
  await writeFile(path, '{"key":"uploads/1","vers');
  await expect(store.latest('uploads/1')).rejects.toThrow(
    `The state file ${path} is broken: it is not JSON, or is truncated. Restore it from a copy, or start with another state folder, which leaves this one unchanged.`,
  );
});
