import { type Timestamp, timestamp } from '../../../storage/attributes.ts';
import { type Content, contentOfUpload } from '../../../storage/file.ts';
import { uploadIdOf } from '../../../storage/object-key.ts';
import type { Upload } from '../../../storage/upload.ts';
import { InternalError, type Log } from '../log/log.ts';
import type { MetricValues } from '../log/metrics.ts';
import type { Announce } from './announce.ts';
import type { Bucket, CreatedObject } from './bucket.ts';
import { isFirstVersion } from './first-version.ts';
import { clearOutbox, type SupersedeDependencies, supersede } from './supersede.ts';
import type { Tables } from './tables.ts';

export interface RecordDependencies extends SupersedeDependencies {
  readonly announce: Announce;
  readonly log: Log;
}

/**
 * What became of a created object:
 *
 * - `completed`, `cancelled`: its upload ended so now, or had ended so and was not settled;
 * - `discarded`: its file is deleted;
 * - `known`: nothing was left to do;
 * - `ignored`: it is not that of an upload.
 */
export type RecordOutcome = 'completed' | 'cancelled' | 'discarded' | 'known' | 'ignored';

/**
 * Records a created object. It points the file at the object, unless the file has newer content, announces the upload, and
 * then completes it.
 *
 * Events may arrive late, twice or out of order, and the function may stop after any step. So each step is a conditional
 * write that is safe to repeat, and a repeated event completes what an earlier one left undone. The last write settles
 * the upload: it is not due any more. Until then, `reconcile-uploads` finds it, also if no event comes again.
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
    return recordTombstone(uploadId, tombstone, dependencies);
  }
  const upload = await readUpload(uploadId, dependencies.tables);
  if (!(await isFirstVersion(upload, object, dependencies.bucket))) {
    reportSecondVersion(upload, object, dependencies.log);
    return 'ignored';
  }
  return recordContent(requireOpen(upload), object, dependencies);
}

/** The upload URL was used twice, or after it was cancelled. Nothing is changed; an alarm tells people. */
function reportSecondVersion(upload: Upload, { versionId, size }: CreatedObject, log: Log): void {
  log('ERROR', 'secondVersion', { ...idsOf(upload), version_id: versionId, size }, { SecondVersions: 1 });
}

async function recordContent(
  upload: OpenUpload,
  object: CreatedObject,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const { tables, announce, log } = dependencies;
  const { upload_id: uploadId, file_id: fileId } = upload;
  const content = await contentOf(upload, object, dependencies.bucket);
  const file = upload.deleted_at === undefined ? await pointFile(fileId, content, tables) : 'deleted';
  if (file === 'deleted') {
    return discard(upload, content, dependencies);
  }
  const isNewestContent = file.contentUploadId === uploadId;
  // Announced before the write that completes it. What was announced is not announced again.
  if (!wasAnnounced(upload)) {
    await announce({ kind: 'completed', upload, content, isNewestContent });
  }
  const isLast = isNewestContent && file.outbox.length === 0;
  // Completed after the file was pointed at: a reader that sees `completed` finds this content, or newer, in the file.
  const isNew = await tables.completeUpload(uploadId, content, isLast ? 'settled' : 'open');
  if (!isNewestContent) {
    // The event was late: the file already has newer content.
    await supersede(uploadId, dependencies);
  }
  await clearOutbox(fileId, file.outbox, dependencies);
  if (upload.due_at !== undefined && !(isNew && isLast)) {
    await tables.settleUpload(uploadId);
  }
  const fields = { ...idsOf(upload), size: object.size, ...ownerOf(upload) };
  log('INFO', 'uploadRecorded', fields, isNew ? completedValues(upload, object) : { UploadsDuplicate: 1 });
  return isNew || !isSettled(upload) ? 'completed' : 'known';
}

/** Whether nothing is left to do. An item of an older version is never due: it was settled when it was completed. */
function isSettled({ state, due_at }: Upload): boolean {
  return state !== 'issued' && due_at === undefined;
}

/** An open upload that an older version completed was not announced. */
function wasAnnounced(upload: OpenUpload): boolean {
  return isSettled(upload) || upload.announced === true;
}

/** What the lines of an upload have in common. The request is the one that its URL was issued to. */
export function idsOf({ upload_id, file_id, request_id }: Upload) {
  return { upload_id, file_id, request_id };
}

export function ownerOf({ client_id, organisation_id }: Upload) {
  return { client_id, organisation_id };
}

function completedValues({ issued_at }: Upload, { size, createdAt }: CreatedObject): MetricValues {
  return {
    UploadsCompleted: 1,
    UploadBytes: size,
    // S3 may give an earlier time than the function that issued the URL: they have two clocks.
    UploadTime: Math.max(0, createdAt.getTime() - Date.parse(issued_at)),
  };
}

/** Tombstones are empty, so only an empty object can be one. */
async function readTombstone({ key, versionId, size }: CreatedObject, bucket: Bucket) {
  return size === 0 ? bucket.readTombstone(key, versionId) : undefined;
}

/** A tombstone is not content. That of a cancelled URL also completes a cancellation that was interrupted. */
async function recordTombstone(
  uploadId: string,
  tombstone: string,
  dependencies: RecordDependencies,
): Promise<RecordOutcome> {
  const upload = tombstone === 'cancelled' ? await dependencies.tables.readUpload(uploadId) : undefined;
  const ids = { upload_id: uploadId, request_id: upload?.request_id };
  dependencies.log('INFO', 'tombstoneSeen', { ...ids, tombstone }, tombstoneValues(tombstone));
  // A completed upload has content, and was announced as such.
  if (upload === undefined || upload.state === 'completed' || isSettled(upload)) {
    return 'known';
  }
  return recordCancelled(upload, dependencies);
}

/** The command line usually has marked the upload already. Its time stays. */
export async function recordCancelled(
  upload: Exclude<Upload, { readonly state: 'completed' }>,
  { tables, announce, now }: Pick<RecordDependencies, 'tables' | 'announce' | 'now'>,
): Promise<'cancelled'> {
  const at = upload.state === 'cancelled' ? upload.cancelled_at : timestamp(now());
  await announce({ kind: 'cancelled', upload, at });
  await tables.cancelUpload(upload.upload_id, at);
  return 'cancelled';
}

/** Every cancelled and every replaced upload gets one tombstone, so its event counts it. */
function tombstoneValues(tombstone: string): MetricValues | undefined {
  switch (tombstone) {
    case 'cancelled':
      return { UploadsCancelled: 1 };
    case 'superseded':
      return { UploadsSuperseded: 1 };
    default:
      return undefined;
  }
}

/**
 * Handles content that arrived after its file was deleted. A tombstone over it starts its retention time, as for replaced
 * content. A repeated event may put a second one, which changes nothing.
 */
async function discard(
  upload: OpenUpload,
  content: Content,
  { tables, bucket, now, log }: RecordDependencies,
): Promise<RecordOutcome> {
  const { upload_id, key } = upload;
  const isNew = upload.state === 'issued' || upload.superseded_at === undefined;
  if (isNew) {
    await bucket.putSupersededTombstone(key);
    await tables.markSuperseded(upload_id, timestamp(now()));
    await tables.completeUpload(upload_id, content, 'settled');
  }
  if (upload.state === 'completed' && upload.due_at !== undefined) {
    await tables.settleUpload(upload_id);
  }
  const fields = { ...idsOf(upload), ...ownerOf(upload) };
  log('INFO', 'uploadDiscarded', fields, isNew ? { UploadsDiscarded: 1 } : undefined);
  return isNew ? 'discarded' : 'known';
}

/** An upload that may have content. */
type OpenUpload = Exclude<Upload, { readonly state: 'cancelled' }>;

async function readUpload(uploadId: string, tables: Tables): Promise<Upload> {
  const upload = await tables.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId}`);
  }
  return upload;
}

/** @throws {InternalError} when the upload was cancelled */
function requireOpen(upload: Upload): OpenUpload {
  if (upload.state === 'cancelled') {
    // The tombstone came before the upload was marked as cancelled, and it was put only where nothing was.
    throw new InternalError(`Upload ${upload.upload_id} is cancelled but has content`);
  }
  return upload;
}

/** The upload as content of its file. A completed upload keeps what was recorded when it was completed. */
async function contentOf(upload: OpenUpload, object: CreatedObject, bucket: Bucket): Promise<Content> {
  if (upload.state === 'completed') {
    return contentOfUpload(upload);
  }
  const { upload_id, key } = upload;
  const { versionId, size, etag, createdAt } = object;
  const checksum = await bucket.readChecksum(key, versionId);
  const completed_at: Timestamp = timestamp(createdAt);
  return {
    upload_id,
    key,
    version_id: versionId,
    size,
    etag,
    ...(checksum === undefined ? {} : { checksum_crc64nvme: checksum }),
    completed_at,
  };
}

/** An attempt fails only when another event changed the content meanwhile. Only a burst of uploads comes near this. */
const maximumAttempts = 20;

interface PointedFile {
  readonly contentUploadId: string;
  /** Replaced uploads that do not have a tombstone yet, oldest first. */
  readonly outbox: readonly string[];
}

/**
 * Makes sure that the file has this content, or content that was issued later.
 *
 * @returns the state of the file after that; `deleted` when the file was deleted, and gets no content
 */
async function pointFile(fileId: string, content: Content, tables: Tables): Promise<PointedFile | 'deleted'> {
  const uploadId = content.upload_id;
  for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
    const file = await tables.readFileContent(fileId);
    if (file === undefined) {
      throw new InternalError(`No file ${fileId} of upload ${uploadId}`);
    }
    if (file.deleted_at !== undefined) {
      return 'deleted';
    }
    const present = file.content?.upload_id;
    const outbox = file.superseded ?? [];
    if (present !== undefined && present >= uploadId) {
      return { contentUploadId: present, outbox };
    }
    if (await tables.replaceContent(fileId, present, content)) {
      const replaced = present === undefined ? [] : [present];
      return { contentUploadId: uploadId, outbox: [...outbox, ...replaced] };
    }
  }
  throw new InternalError(`File ${fileId} kept changing while upload ${uploadId} was recorded`);
}
