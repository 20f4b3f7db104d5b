import { type Item, timestamp } from '../../../storage/attributes.ts';
import { updateToDeletedUpload } from '../../../storage/upload.ts';
import { s3Client } from '../deployment/aws-clients.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { headObject } from '../deployment/head-object.ts';
import { updateItem } from '../deployment/items.ts';
import { endOfRetention } from '../deployment/retention.ts';
import type { ActionContext } from '../description/action.ts';
import { readAll } from '../lists/read.ts';
import { counted } from '../text.ts';
import { type CancelAttempt, putTombstone, tryToCancel } from './cancel.ts';
import { forEachUpload, pagesWhile } from './each-upload.ts';
import { isOutstanding } from './outstanding.ts';
import { type Upload, type UploadSelection, uploadSource } from './upload.ts';

/**
 * Minimum time to keep a record after its URL expires. A PUT that began before may end 24 hours later. The
 * record then shows that the bytes belong to a deleted file. Replaced content is deleted later still, when
 * its upload is due.
 */
const latestArrivalMilliseconds = 26 * 3_600_000;

/**
 * Deletes the uploads of a deleted file or organisation, newest first because their URLs still work. Call it when no
 * sync request from before the mark can record another one. A repeat skips deleted uploads.
 *
 * @param requireDeletion check before each page that the deletion lasts
 * @param expected approximate number of uploads, for the progress
 * @param isErased returns true if the content of an upload is erased too
 * @returns the numbers of uploads, of cancelled URLs, and of uploads whose bytes could not be erased yet
 * @throws {OperationError} when an upload could not be deleted
 */
export async function deleteUploads(
  { deployment, progress }: ActionContext,
  selection: UploadSelection,
  requireDeletion: () => Promise<void>,
  { expected, isErased }: { readonly expected: number; readonly isErased: (upload: Upload) => boolean },
) {
  let left = 0;
  const source = uploadSource(deployment, selection);
  const entryOf = (item: Item) => {
    const upload = source.entryOf(item);
    return upload?.deleted_at === undefined || isErased(upload) ? upload : undefined;
  };
  const report = await forEachUpload(
    pagesWhile(requireDeletion, readAll(deployment, { ...source, entryOf })),
    (done) => progress(`Deleting: ${done} of ${counted(Math.max(done, expected), 'upload')}.`),
    async (upload) => {
      const isCancelled = upload.deleted_at === undefined && (await deleteUpload(deployment, upload));
      const isLeft = isErased(upload) && !(await eraseContent(deployment, upload));
      left += isLeft ? 1 : 0;
      return isCancelled;
    },
  );
  return { ...report, left };
}

/**
 * Deletes an upload of a deleted file. The content gets its tombstone before the record is marked. After a
 * crash between the two steps, the next run deletes the upload.
 *
 * @returns true if the URL of the upload was cancelled
 */
export async function deleteUpload(deployment: Deployment, upload: Upload): Promise<boolean> {
  const attempt: CancelAttempt = isOutstanding(upload, deployment.now())
    ? await tryToCancel(deployment, upload.upload_id)
    : { outcome: 'done before', upload };
  if (await hasContent(deployment, attempt)) {
    await putTombstone(deployment, upload.key, 'superseded');
  }
  const retention = endOfRetention(deployment);
  const arrival = timestamp(new Date(Date.parse(upload.expires_at) + latestArrivalMilliseconds));
  const end = retention > arrival ? retention : arrival;
  const update = updateToDeletedUpload(upload.upload_id, timeOf(deployment), end, upload.delete_after);
  await updateItem(deployment, 'upload', update);
  return attempt.outcome === 'cancelled';
}

/**
 * Erases the content of a deleted upload: its versions in S3. Without the right to delete versions, this fails.
 *
 * While a PUT to its URL may be in progress, an object must stay at the key. A tombstone then covers the content first,
 * and bytes that are not recorded stay below it.
 *
 * @returns false if bytes may be left
 */
export async function eraseContent(deployment: Deployment, upload: Upload): Promise<boolean> {
  const { key: Key, expires_at, state } = upload;
  const s3 = await s3Client(deployment);
  const Bucket = deployment.outputs.BucketName;
  const isClosed = Date.parse(expires_at) + latestArrivalMilliseconds < deployment.now();
  if (state === 'completed') {
    if (!isClosed) {
      await putTombstone(deployment, Key, 'superseded');
    }
    await s3.deleteObject({ Bucket, Key, VersionId: upload.version_id });
  }
  if (!isClosed) {
    return state === 'completed' || (await headObject(deployment, Key))?.ContentLength === 0;
  }
  // Removes tombstones, and versions that were never recorded.
  for (let head = await headObject(deployment, Key); head; head = await headObject(deployment, Key)) {
    await s3.deleteObject({ Bucket, Key, VersionId: head.VersionId });
  }
  return true;
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
