import { updateContentVersion } from '../../../storage/file.ts';
import { updateToVersion } from '../../../storage/upload.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { updateItem } from '../deployment/items.ts';
import { headObject } from '../deployment/objects.ts';
import type { ReadProgress } from '../lists/list.ts';
import { readAll } from '../lists/read.ts';
import { fileSource } from './file.ts';

/**
 * Compares the content of every file with the newest object of its key.
 *
 * @param adopts true: a file, and first its upload, get the version id of an object with the same bytes. For a bucket that
 *   replaces a lost one. Safe to repeat.
 * @param progress callback, called with the number of read files.
 * @returns the ids of files without their bytes in the newest version (`missing`), the ids of files with another version
 *   id (`copied`), and the keys of all content (`named`)
 */
export async function compareContent(
  deployment: Deployment,
  adopts: boolean,
  progress: ReadProgress['progress'],
) {
  const [missing, copied]: [string[], string[]] = [[], []];
  const named = new Set<string>();
  await inParallel(readAll(deployment, fileSource({}), { progress }), async ({ file_id, content }) => {
    if (content === undefined) {
      return;
    }
    named.add(content.key);
    const newest = await headObject(deployment, content.key);
    // The ETag of an upload is the MD5 of its bytes, and a copy in one part keeps it.
    const versionId = newest?.ETag === `"${content.etag}"` ? newest.VersionId : undefined;
    if (versionId === content.version_id) {
      return;
    }
    (versionId === undefined ? missing : copied).push(file_id);
    if (adopts && versionId !== undefined) {
      await updateItem(deployment, 'upload', updateToVersion(content.upload_id, content.etag, versionId));
      await updateItem(deployment, 'file', updateContentVersion(file_id, content.upload_id, versionId));
    }
  });
  return { missing, copied, named };
}
