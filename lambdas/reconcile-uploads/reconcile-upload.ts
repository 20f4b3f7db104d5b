import { timestamp } from '../../storage/attributes.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import type { CompletedUpload, IssuedUpload, Upload } from '../../storage/upload.ts';
import { isLaterLook, lastLookAt, nextTryAt } from '../../storage/upload-due.ts';
import { idsOf, ownerOf } from '../shared/recording/facts.ts';
import { type RecordDependencies, recordCancelled, recordObject } from '../shared/recording/record-object.ts';
import type { DueObjects } from './bucket.ts';
import type { DueUpload, DueUploads } from './due-uploads.ts';

export interface ReconcileDependencies extends RecordDependencies {
  readonly due: DueUploads;
  readonly objects: DueObjects;
}

/**
 * What became of a due upload:
 *
 * - `recorded`: its content or its cancellation had not been recorded and announced, and now is;
 * - `expired`: nobody had used its URL;
 * - `deleted`: its content was replaced, and is deleted now;
 * - `done`: nothing is left to do. For example, its URL is still unused a day later;
 * - `unchanged`: another run looked at it meanwhile, or it is looked at again later.
 */
export type ReconcileOutcome = 'recorded' | 'expired' | 'deleted' | 'done' | 'unchanged';

/**
 * Looks at one upload that is due. It asks S3 for the object, because the event of the object may be lost. The code
 * that records events also records this object, so an event and a look may take the same step at the same time, or
 * repeat it.
 *
 * @throws {Error} when something failed; the upload stays due
 */
export async function reconcileUpload(
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const { due, objects } = dependencies;
  const key = objectKeyOf(found.upload_id);
  const object = await objects.find(key);
  // Most uploads that are due for the second time were never used. They need no read.
  if (object === undefined && isLaterLook(found) && (await due.endUnused(found))) {
    return 'done';
  }
  const upload = await due.read(found.upload_id);
  if (upload?.due_at !== found.due_at) {
    return 'unchanged';
  }
  if (upload.state === 'completed') {
    return endCompleted(upload, found, object !== undefined, dependencies);
  }
  if (upload.state === 'cancelled') {
    await recordCancelled(upload, dependencies);
    return reported(upload, dependencies);
  }
  if (object === undefined) {
    return expire(upload, found, dependencies);
  }
  switch (await recordObject(object, dependencies)) {
    case 'known':
      return endDeleted(upload, found, dependencies);
    case 'ignored':
      // The object is a second version. Once people have removed it, a later look finds the version that was recorded
      // first.
      return 'unchanged';
    default:
      return reported(upload, dependencies);
  }
}

/**
 * Deletes the content of a completed upload, if later content has replaced it. A completed upload that was not replaced
 * is due only if an older version of the service left it due.
 */
async function endCompleted(
  upload: CompletedUpload,
  found: DueUpload,
  isStored: boolean,
  { due, objects, tables, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (upload.superseded_at === undefined) {
    return (await due.endCompleted(found)) ? 'done' : 'unchanged';
  }
  const file = await tables.readFileContent(upload.file_id);
  if (file?.deleted_at === undefined && file?.content?.upload_id === upload.upload_id) {
    // The function that recorded the later content stopped before it pointed the file at that content.
    await due.postpone(found, nextTryAt(now()));
    return 'unchanged';
  }
  if (isStored) {
    await objects.deleteObject(upload.key);
  }
  if (!(await due.endReplaced(found, timestamp(now())))) {
    return 'unchanged';
  }
  log('INFO', 'contentDeleted', { ...idsOf(upload), ...ownerOf(upload) });
  return 'deleted';
}

/** The object is the tombstone of a deleted file. The version below it is not content, and is not announced. */
async function endDeleted(
  upload: IssuedUpload,
  found: DueUpload,
  { due, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (!(await due.expire(found, timestamp(now()), undefined))) {
    // An event has completed or cancelled the upload meanwhile.
    return 'unchanged';
  }
  log('INFO', 'uploadDiscarded', { ...idsOf(upload), ...ownerOf(upload) });
  return 'done';
}

/** An event was lost, or every attempt to record it failed. That should not happen, so an alarm counts it. */
function reported(upload: Upload, { log }: ReconcileDependencies): 'recorded' {
  const fields = { ...idsOf(upload), ...ownerOf(upload), state_before: upload.state };
  log('WARN', 'uploadReconciled', fields, { UploadsReconciled: 1 });
  return 'recorded';
}

/**
 * Announces an expired upload before the write, so that no crash leaves an expired upload unannounced. A PUT that began
 * before the URL expired may still be under way, so the upload is looked at once more. Until then `Upload Completed`
 * may follow.
 */
async function expire(
  upload: IssuedUpload,
  found: DueUpload,
  { due, announce, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const at = timestamp(now());
  if (upload.expired_at === undefined) {
    await announce({ kind: 'expired', upload, at });
  }
  const last = lastLookAt(upload.expires_at);
  const isLast = last <= at;
  if (!(await due.expire(found, at, isLast ? undefined : last))) {
    return 'unchanged';
  }
  if (upload.expired_at !== undefined) {
    return 'done';
  }
  log('INFO', 'uploadExpired', { ...idsOf(upload), ...ownerOf(upload) }, { UploadsExpired: 1 });
  return 'expired';
}
