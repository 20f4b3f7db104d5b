import { timestamp } from '../../../storage/attributes.ts';
import { uploadIdOf } from '../../../storage/object-key.ts';
import type { CancelledUpload, Completion, IssuedUpload, Upload } from '../../../storage/upload.ts';
import { InternalError, type Log } from '../log/log.ts';
import type { MetricValues } from '../log/metrics.ts';
import type { Announce } from './announce.ts';
import type { Bucket, CreatedObject } from './bucket.ts';
import { completionOf, idsOf, ownerOf } from './facts.ts';
import { pointFile } from './point-file.ts';
import { recordOtherVersion, reportSecondVersion } from './second-version.ts';
import type { Tables } from './tables.ts';

export interface RecordDependencies {
  readonly tables: Tables;
  readonly bucket: Bucket;
  readonly announce: Announce;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * What became of a created object:
 *
 * - `completed`, `cancelled`: its upload ended so now;
 * - `discarded`: its file is deleted;
 * - `known`: nothing was left to do;
 * - `ignored`: it is not that of an upload, or a second version.
 */
export type RecordOutcome = 'completed' | 'cancelled' | 'discarded' | 'known' | 'ignored';

/**
 * Records a created object. It points the file at the object, unless the file has newer content, announces the upload, and
 * then completes it.
 *
 * Events may arrive late, twice or out of order, and the function may stop after any step. So each step is a conditional
 * write that is safe to repeat, and a repeated event completes what an earlier one left undone. The last write completes
 * the upload. Until then it is due, so that `reconcile-uploads` finds it, also if no event comes again.
 *
 * @throws {Error} when recording failed; Lambda then retries the event, and in the end puts it into the dead-letter queue
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
    : recordAgain(upload, object, dependencies);
}

async function recordContent(
  upload: IssuedUpload,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const { tables, announce, now } = dependencies;
  const { upload_id: uploadId } = upload;
  const content = await completionOf(object, dependencies.bucket);
  const place = await pointFile(upload, content, dependencies);
  if (place === 'deleted') {
    return discard(upload, content, dependencies);
  }
  // Another attempt may have pointed the file at this content, and announced and completed the upload since.
  const current = place === 'pointed' ? upload : await readUpload(uploadId, tables);
  if (current.state !== 'issued') {
    return recordAgain(current, object, dependencies);
  }
  const isNewestContent = place !== 'has newer content';
  // Announced before the write that completes it: a crash between the two leads to a second event, and never to none.
  await announce({ kind: 'completed', upload, content, isNewestContent });
  // Completed after the file was pointed at: a reader that sees `completed` finds this content, or newer, in the file.
  const isNew =
    (isNewestContent && (await tables.completeUpload(uploadId, content))) ||
    (await tables.completeSuperseded(uploadId, content, timestamp(now())));
  if (!isNew) {
    return recordAgain(await readUpload(uploadId, tables), object, dependencies);
  }
  reportRecorded(upload, object, dependencies.log, { UploadsCompleted: 1, UploadBytes: object.size });
  return 'completed';
}

/** Content that arrived after its file was deleted is never announced, and is deleted as replaced content is. */
async function discard(
  upload: IssuedUpload,
  content: Completion,
  { tables, now, log }: RecordDependencies,
): Promise<RecordOutcome> {
  if (!(await tables.completeSuperseded(upload.upload_id, content, timestamp(now())))) {
    return 'known';
  }
  log('INFO', 'uploadDiscarded', { ...idsOf(upload), ...ownerOf(upload) });
  return 'discarded';
}

/** An object of an upload that has ended: the one that completed it, or a second version. */
async function recordAgain(
  upload: Upload,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  if (upload.state !== 'completed') {
    // A URL is closed by a tombstone, and only where nothing is. So this object came after it.
    reportSecondVersion(upload, object, dependencies.log);
    return 'ignored';
  }
  if (upload.version_id !== object.versionId) {
    return recordOtherVersion(upload, object, dependencies);
  }
  reportRecorded(upload, object, dependencies.log);
  return 'known';
}

function reportRecorded(upload: Upload, { size }: CreatedObject, log: Log, values?: MetricValues): void {
  log('INFO', 'uploadRecorded', { ...idsOf(upload), size, ...ownerOf(upload) }, values);
}

/** Tombstones are empty, so only an empty object can be one. */
async function readTombstone({ key, versionId, size }: CreatedObject, bucket: Bucket) {
  return size === 0 ? bucket.readTombstone(key, versionId) : undefined;
}

/** A tombstone is not content. That of a cancelled URL also completes a cancellation that was interrupted. */
async function recordTombstone(
  uploadId: string,
  tombstone: string,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const { tables, log } = dependencies;
  const upload = tombstone === 'cancelled' ? await tables.readUpload(uploadId) : undefined;
  const ids = { upload_id: uploadId, request_id: upload?.request_id };
  // Every cancelled upload gets one tombstone, so its event counts it.
  const values = tombstone === 'cancelled' ? { UploadsCancelled: 1 } : undefined;
  log('INFO', 'tombstoneSeen', { ...ids, tombstone }, values);
  if (upload?.state === 'completed') {
    // A URL is closed only where nothing is. So its content is a second version, or this tombstone is.
    reportSecondVersion(upload, object, log);
    return 'ignored';
  }
  if (upload === undefined || (upload.state === 'cancelled' && upload.due_at === undefined)) {
    return 'known';
  }
  return recordCancelled(upload, dependencies);
}

/** The command line usually has marked the upload already. Its time does not change. */
export async function recordCancelled(
  upload: IssuedUpload | CancelledUpload,
  { tables, announce, now }: Pick<RecordDependencies, 'tables' | 'announce' | 'now'>,
): Promise<'cancelled'> {
  const at = upload.state === 'cancelled' ? upload.cancelled_at : timestamp(now());
  await announce({ kind: 'cancelled', upload, at });
  await tables.cancelUpload(upload.upload_id, at);
  return 'cancelled';
}

async function readUpload(uploadId: string, tables: Tables): Promise<Upload> {
  const upload = await tables.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId}`);
  }
  return upload;
}
