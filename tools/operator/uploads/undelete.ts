import { updateToUndeletedUpload } from '../../../storage/upload.ts';
import { nextCheckAt } from '../../../storage/upload-due.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { updateItem } from '../deployment/items.ts';
import { readAll } from '../lists/read.ts';
import { pagesWhile } from './each-upload.ts';
import { type Upload, uploadSource } from './upload.ts';
import { deleteVersions, findCovers } from './versions.ts';

/**
 * Restores the uploads of a file.
 *
 * @param lostId upload of content that S3 no longer has. It stays deleted
 * @param requireUndo check before each page
 * @returns the number of restored uploads
 */
export async function undeleteUploads(
  deployment: Deployment,
  fileId: string,
  lostId: string | undefined,
  requireUndo: () => Promise<void>,
): Promise<number> {
  let restored = 0;
  const pages = readAll(deployment, uploadSource(deployment, { file: fileId }));
  await inParallel(pagesWhile(requireUndo, pages), async (upload) => {
    if (upload.upload_id !== lostId) {
      await undeleteUpload(deployment, upload);
      restored += upload.deleted_at === undefined ? 0 : 1;
    }
  });
  return restored;
}

/**
 * Restores an upload. Bytes that arrived and were never recorded become due, so the service records them. Their
 * tombstone is removed last: a deletion that begins after a crash finds a record without marks, and covers them again.
 */
async function undeleteUpload(deployment: Deployment, upload: Upload): Promise<void> {
  const { key, state, deleted_at } = upload;
  const isOpen = state === 'issued' || state === 'expired';
  const covers = isOpen ? await findCovers(deployment, key) : undefined;
  if (covers !== undefined || deleted_at !== undefined) {
    const dueAt = covers && nextCheckAt(new Date(deployment.now()));
    await updateItem(deployment, 'upload', updateToUndeletedUpload(upload, dueAt));
    await deleteVersions(deployment, key, covers ?? []);
  }
}
