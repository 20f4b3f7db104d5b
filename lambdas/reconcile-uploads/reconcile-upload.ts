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
 * - `recorded`: its bytes had arrived, or its cancellation had begun, and that was not recorded or not announced;
 * - `expired`: nobody had used its URL;
 * - `deleted`: its content was replaced, and is deleted now;
 * - `done`: nothing is left to do. For example, nobody has used its URL a day later either;
 * - `unchanged`: it was looked at meanwhile, or it is looked at again later.
 */
export type ReconcileOutcome = 'recorded' | 'expired' | 'deleted' | 'done' | 'unchanged';

/**
 * Looks at one upload that is due. S3 is asked what is there, because the event that said so may be lost. What is found is
 * recorded by the code that records events, so each step may be repeated, and be made by both at the same time.
 *
 * @throws {Error} when something failed; the upload stays due
 */
export async function reconcileUpload(
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const { due, objects } = dependencies;
  const key = objectKeyOf(found.upload_id);
  const exists = await objects.exists(key);
  // Most of what is due for the second time is a URL that nobody used. It needs no read.
  if (!exists && isLaterLook(found) && (await due.endUnused(found))) {
    return 'done';
  }
  const upload = await due.read(found.upload_id);
  if (upload?.due_at !== found.due_at) {
    return 'unchanged';
  }
  if (upload.state === 'completed') {
    return endCompleted(upload, found, exists, dependencies);
  }
  if (upload.state === 'cancelled') {
    await recordCancelled(upload, dependencies);
    return reported(upload, dependencies);
  }
  const object = exists ? await objects.readFirstVersion(key) : undefined;
  if (object === undefined) {
    return expire(upload, found, dependencies);
  }
  const outcome = await recordObject(object, dependencies);
  return outcome === 'known' ? endWithoutContent(found, dependencies) : reported(upload, dependencies);
}

/** Deletes the content of an upload, if later content has replaced it. Of an older version, others may be due too. */
async function endCompleted(
  upload: CompletedUpload,
  found: DueUpload,
  exists: boolean,
  { due, objects, tables, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (upload.superseded_at === undefined) {
    return (await due.endCompleted(found)) ? 'done' : 'unchanged';
  }
  const file = await tables.readFileContent(upload.file_id);
  if (file?.deleted_at === undefined && file?.content?.upload_id === upload.upload_id) {
    // Recording the later content stopped before the file pointed at that.
    await due.postpone(found, nextTryAt(now()));
    return 'unchanged';
  }
  if (exists) {
    await objects.deleteObject(upload.key);
  }
  if (!(await due.endReplaced(found, timestamp(now())))) {
    return 'unchanged';
  }
  log('INFO', 'contentDeleted', { ...idsOf(upload), ...ownerOf(upload) });
  return 'deleted';
}

/**
 * The first version that is left is a tombstone over content: the content was replaced and its retention is over. So this
 * function did not run for at least a day. Nothing is left to announce.
 */
async function endWithoutContent(
  found: DueUpload,
  { due, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (await due.expire(found, timestamp(now()), undefined)) {
    log('WARN', 'contentGone', { upload_id: found.upload_id });
    return 'done';
  }
  return 'unchanged';
}

/** An event was lost, or every attempt to record it failed. That should not happen, so that an alarm counts it. */
function reported(upload: Upload, { log }: ReconcileDependencies): 'recorded' {
  const fields = { ...idsOf(upload), ...ownerOf(upload), state_before: upload.state };
  log('WARN', 'uploadReconciled', fields, { UploadsReconciled: 1 });
  return 'recorded';
}

/**
 * Announced before the write, so that no crash leaves an expired upload that was not announced. A PUT that began before
 * the URL expired may still be under way, so the upload is looked at once more. `Upload Completed` may follow till then.
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
