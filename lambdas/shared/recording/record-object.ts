import type { MetricValues } from '../../../contract/internal/metrics.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { uploadIdOf } from '../../../storage/object-key.ts';
import type { CancelledUpload, Completion, IssuedUpload, Upload } from '../../../storage/upload.ts';
import { InternalError, type Log } from '../log/log.ts';
import type { Announce } from './announce.ts';
import type { Bucket, CreatedObject } from './bucket.ts';
import { completionOf, idsOf, idsWithOwner } from './facts.ts';
import { pointFile } from './point-file.ts';
import type { Tables } from './recording-tables.ts';

export interface RecordDependencies {
  readonly tables: Tables;
  readonly bucket: Bucket;
  readonly announce: Announce;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Outcome of a created object:
 *
 * - `completed`, `cancelled`: the upload was completed or cancelled now;
 * - `discarded`: the file is deleted, so the object is not content;
 * - `known`: the object was recorded before;
 * - `ignored`: the object belongs to no upload, or is a second version.
 */
type RecordOutcome = 'completed' | 'cancelled' | 'discarded' | 'known' | 'ignored';

/**
 * Records a created object. Points the file at the object, unless the file points at newer content, announces
 * the upload, and then completes it.
 *
 * Events may arrive late, twice or out of order, and the function may stop after any step. So each step is a
 * conditional write that is safe to repeat, and a repeated event completes unfinished steps of an earlier
 * one. The last write completes the upload. Until then the upload is due, so `reconcile-uploads` finds it
 * even if no further event arrives.
 *
 * @throws {Error} if recording failed; Lambda then retries the event, and finally sends it to the dead-letter
 * queue
 */
export async function recordObject(
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const uploadId = uploadIdOf(object.key);
  if (uploadId === undefined) {
    dependencies.log('WARN', 'foreignObject', { key: object.key });
    return 'ignored';
  }
  const tombstone = await readTombstone(object, dependencies.bucket);
  if (tombstone !== undefined) {
    return recordTombstone(uploadId, tombstone, object, dependencies);
  }
  const upload = await readUpload(uploadId, dependencies.tables);
  return upload.state === 'issued'
    ? recordContent(upload, object, dependencies)
    : recordAgain(upload, object, dependencies.log);
}

async function recordContent(
  upload: IssuedUpload,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const { tables, announce, now, log } = dependencies;
  const { upload_id: uploadId } = upload;
  const content = await completionOf(object, dependencies.bucket, now());
  const place = await pointFile(upload, content, dependencies);
  if (place === 'deleted') {
    return discard(upload, content, dependencies);
  }
  if (place === 'has another version') {
    return ignoreSecondVersion(upload, object, log);
  }
  // Another attempt may have pointed the file at this content, and announced and completed the upload since.
  const current = place === 'pointed' ? upload : await readUpload(uploadId, tables);
  if (current.state !== 'issued') {
    return recordAgain(current, object, log);
  }
  const isNewestContent = place !== 'has newer content';
  // The upload is announced before it is completed: after a crash in between, a second event follows, and no event is
  // lost.
  await announce({ kind: 'completed', upload, content, isNewestContent });
  const announced = { ...content, announced_at: timestamp(now()) };
  // The upload is completed last: a reader that sees `completed` finds this content, or newer content, in the
  // file.
  const isNew =
    (isNewestContent && (await tables.completeUpload(uploadId, announced))) ||
    (await tables.completeSuperseded(uploadId, announced, timestamp(now())));
  if (!isNew) {
    return recordAgain(await readUpload(uploadId, tables), object, log);
  }
  reportRecorded(upload, object, log, { UploadsCompleted: 1, UploadBytes: object.size });
  return 'completed';
}

/**
 * Completes an upload whose file was deleted before. Its content is never announced, and is deleted like
 * replaced content.
 */
async function discard(
  upload: IssuedUpload,
  content: Completion,
  { tables, now, log }: RecordDependencies,
): Promise<RecordOutcome> {
  if (!(await tables.completeSuperseded(upload.upload_id, content, timestamp(now())))) {
    return 'known';
  }
  log('INFO', 'uploadDiscarded', idsWithOwner(upload));
  return 'discarded';
}

/**
 * Handles the object of an upload that was completed or cancelled before: the recorded version again, or a
 * second version.
 */
function recordAgain(upload: Upload, object: CreatedObject, log: Log): RecordOutcome {
  if (upload.state !== 'completed' || upload.version_id !== object.versionId) {
    return ignoreSecondVersion(upload, object, log);
  }
  reportRecorded(upload, object, log);
  return 'known';
}

function reportRecorded(upload: Upload, { size }: CreatedObject, log: Log, values?: MetricValues): void {
  log('INFO', 'uploadRecorded', { ...idsWithOwner(upload), size }, values);
}

/** Reads the kind of tombstone of an empty object. Other objects cannot be tombstones. */
async function readTombstone({ key, versionId, size }: CreatedObject, bucket: Bucket) {
  return size === 0 ? bucket.readTombstone(key, versionId) : undefined;
}

/**
 * Records a tombstone, which is not content. The tombstone `cancelled` also completes a cancellation that was
 * interrupted.
 */
async function recordTombstone(
  uploadId: string,
  tombstone: string,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const { tables, log } = dependencies;
  const upload = tombstone === 'cancelled' ? await tables.readUpload(uploadId) : undefined;
  const ids = { upload_id: uploadId, request_id: upload?.request_id };
  // Every cancelled upload gets one such tombstone, so the event of the tombstone counts the cancellation.
  const values = tombstone === 'cancelled' ? { UploadsCancelled: 1 } : undefined;
  log('INFO', 'tombstoneSeen', { ...ids, tombstone }, values);
  if (upload?.state === 'completed') {
    // A URL is cancelled only while the key is free, so S3 accepted two PUTs.
    return ignoreSecondVersion(upload, object, log);
  }
  if (upload === undefined || (upload.state === 'cancelled' && upload.due_at === undefined)) {
    return 'known';
  }
  return recordCancelled(upload, dependencies);
}

/**
 * Announces a cancellation and marks the upload. If the admin command marked the upload, the time of that
 * mark stays.
 */
export async function recordCancelled(
  upload: IssuedUpload | CancelledUpload,
  { tables, announce, now }: Pick<RecordDependencies, 'tables' | 'announce' | 'now'>,
): Promise<'cancelled'> {
  const at = upload.state === 'cancelled' ? upload.cancelled_at : timestamp(now());
  await announce({ kind: 'cancelled', upload, at });
  await tables.cancelUpload(upload.upload_id, at, timestamp(now()));
  return 'cancelled';
}

async function readUpload(uploadId: string, tables: Tables): Promise<Upload> {
  const upload = await tables.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId}`);
  }
  return upload;
}

/**
 * Reports a version of an object that is not recorded: the upload URL was used twice, or after it was
 * cancelled. S3 should never accept such a PUT (docs/decisions/0001). The version that was recorded first
 * stays, and an alarm notifies the operators.
 */
function ignoreSecondVersion(upload: Upload, { versionId, size }: CreatedObject, log: Log): 'ignored' {
  log('ERROR', 'secondVersion', { ...idsOf(upload), version_id: versionId, size }, { SecondVersions: 1 });
  return 'ignored';
}
