import { type Item, later } from '../../../storage/attributes.ts';
import { updateToDeletedUpload, updateToUndeletedUpload } from '../../../storage/upload.ts';
import { nextCheckAt } from '../../../storage/upload-due.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import { endOfRetention } from '../deployment/deletion.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { inParallel } from '../deployment/in-parallel.ts';
import { updateItem } from '../deployment/items.ts';
import { deleteVersions, findCovers, headObject, listVersions, putTombstone } from '../deployment/objects.ts';
import type { ActionContext } from '../description/action.ts';
import { readAll } from '../lists/read.ts';
import { type CancelAttempt, tryToCancel } from './cancel.ts';
import { forEachUpload } from './each-upload.ts';
import { type Upload, type UploadSelection, uploadSource } from './upload.ts';

/**
 * Time for which a record is kept longer than its file. A PUT that began before the deletion may end 24 hours later, and
 * the record then shows that the bytes belong to a deleted file. An undo finds all records of a file that is kept.
 */
const latestArrivalMilliseconds = 26 * 3_600_000;

/**
 * Deletes the uploads of a deleted file or organisation, newest first because their URLs still work. Call it when no
 * sync request from before the mark can record another one. A repeat skips deleted uploads.
 *
 * @param requireDeletion check before each page that the deletion lasts
 * @param isErased returns true if the content of an upload is erased too
 * @returns the numbers of uploads, and of cancelled URLs
 * @throws {OperationError} when an upload could not be deleted
 */
export function deleteUploads(
  context: ActionContext,
  selection: UploadSelection,
  requireDeletion: () => Promise<void>,
  isErased: (upload: Upload) => boolean,
) {
  const { deployment } = context;
  const source = uploadSource(deployment, selection);
  const entryOf = (item: Item) => {
    const upload = source.entryOf(item);
    return upload?.deleted_at === undefined || isErased(upload) ? upload : undefined;
  };
  const pages = readAll(deployment, { ...source, entryOf }, { check: requireDeletion });
  return forEachUpload(context, 'Deleting', pages, async (upload) => {
    const isCancelled = upload.deleted_at === undefined && (await deleteUpload(deployment, upload));
    if (isErased(upload)) {
      await eraseContent(deployment, upload);
    }
    return isCancelled;
  });
}

/**
 * Deletes an upload of a deleted file. The content gets its tombstone before the record is marked. After a
 * crash between the two steps, the next run deletes the upload.
 *
 * @returns true if the URL of the upload was cancelled
 */
async function deleteUpload(deployment: Deployment, upload: Upload): Promise<boolean> {
  const attempt = await tryToCancel(deployment, upload.upload_id);
  if (await hasContent(deployment, attempt)) {
    await putTombstone(deployment, upload.key, 'superseded');
  }
  const end = later(endOfRetention(deployment), latestArrivalMilliseconds);
  const update = updateToDeletedUpload(upload.upload_id, timeOf(deployment), end, upload.delete_after);
  await updateItem(deployment, 'upload', update);
  return attempt.outcome === 'cancelled';
}

/**
 * Erases the content of a deleted upload: the versions of its key in S3. While a PUT to its URL may be in progress, a
 * tombstone stays at the key.
 */
async function eraseContent(deployment: Deployment, { key, expires_at }: Upload): Promise<void> {
  const mayArrive = Date.parse(expires_at) + latestArrivalMilliseconds > deployment.now();
  const { objects, markers } = await listVersions(deployment, key);
  const contents = objects.filter(({ Size }) => Size !== 0);
  if (mayArrive && contents.some(({ IsLatest }) => IsLatest)) {
    await putTombstone(deployment, key, 'superseded');
  }
  await deleteVersions(deployment, key, mayArrive ? contents : [...objects, ...markers]);
}

/** Returns true if the upload has content. Bytes without a recorded event are content too. */
async function hasContent(deployment: Deployment, { outcome, upload }: CancelAttempt): Promise<boolean> {
  if (outcome !== 'done before') {
    return outcome === 'arrived';
  }
  if (upload.state === 'expired') {
    return (await headObject(deployment, upload.key)) !== undefined;
  }
  return upload.state === 'completed' && upload.superseded_at === undefined;
}

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
  const source = uploadSource(deployment, { file: fileId });
  await inParallel(readAll(deployment, source, { check: requireUndo }), async (upload) => {
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
