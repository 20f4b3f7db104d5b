import { InternalError, type Log } from '../shared/log.ts';
import { type CreatedObject, uploadIdOfKey } from './object-event.ts';
import { clearSuperseded, supersede } from './supersede.ts';
import type { Completion, ObjectStore, StoredFile, StoredUpload, UploadStore } from './upload-store.ts';

export interface RecordDependencies {
  readonly uploads: UploadStore;
  readonly objects: ObjectStore;
  readonly now: () => Date;
  readonly log: Log;
}

/**
 * Records a created object: points the file at it unless it has newer content, and completes its upload once.
 * Events come late, twice and out of order, and every step may be the last before a crash, so each step is a
 * conditional write that is right to repeat, and a repeated event takes up where the first one ended.
 *
 * @throws {Error} when it could not be recorded; the event then comes again, and at last goes to the dead-letter queue
 */
export async function recordObject(object: CreatedObject, dependencies: RecordDependencies): Promise<void> {
  const uploadId = uploadIdOfKey(object.key);
  if (uploadId === undefined) {
    dependencies.log('WARN', 'foreignObject', { key: object.key });
    return;
  }
  const tombstone = await readTombstone(object, dependencies.objects);
  if (tombstone !== undefined) {
    await recordTombstone(uploadId, tombstone, dependencies);
    return;
  }
  const { uploads, log } = dependencies;
  const upload = await readStoredUpload(uploadId, object, uploads);
  const file = await pointFile(upload, uploads);
  // The last write that a reader waits for: whoever sees `completed` finds the content, or newer content, in the file.
  await uploads.completeUpload(uploadId, upload.completion);
  await markReplaced(upload, file, dependencies);
  log('INFO', 'uploadRecorded', { upload_id: uploadId, file_id: upload.fileId, size: object.size });
}

/** Tombstones are empty, so only an empty object needs the question. */
async function readTombstone({ key, versionId, size }: CreatedObject, objects: ObjectStore) {
  return size === 0 ? objects.readTombstone(key, versionId) : undefined;
}

/** A tombstone is no content. One of a cancelled URL also finishes a cancelling that was cut short. */
async function recordTombstone(
  uploadId: string,
  tombstone: string,
  { uploads, now, log }: RecordDependencies,
): Promise<void> {
  log('INFO', 'tombstoneSeen', { upload_id: uploadId, tombstone });
  if (tombstone === 'cancelled') {
    await uploads.cancelUpload(uploadId, now().toISOString());
  }
}

/** An upload whose bytes are in the bucket. */
type UploadWithContent = StoredUpload & { readonly completion: Completion };

/** The upload with what is known of its bytes: where it is completed already, its first facts stay. */
async function readStoredUpload(
  uploadId: string,
  { versionId, size, etag, createdAt }: CreatedObject,
  uploads: UploadStore,
): Promise<UploadWithContent> {
  const upload = await uploads.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId}`);
  }
  if (upload.state === 'cancelled') {
    // S3 took either the tombstone or the bytes. Bytes under a cancelled upload are for a person to look at.
    throw new InternalError(`Upload ${uploadId} is cancelled but has content`);
  }
  const completion = upload.completion ?? { versionId, size, etag, completedAt: createdAt.toISOString() };
  return { ...upload, completion };
}

/** Each lost race means that another event moved the file on, so only a burst of uploads gets near to this. */
const maximumAttempts = 20;

/**
 * Sees to it that the file has this upload's content, or content that was issued later.
 *
 * @returns the file as it then is
 */
async function pointFile(upload: UploadWithContent, uploads: UploadStore): Promise<StoredFileWithContent> {
  const { uploadId, fileId, key, completion } = upload;
  for (let attempt = 1; attempt <= maximumAttempts; attempt++) {
    const file = await uploads.readFile(fileId);
    if (file === undefined) {
      throw new InternalError(`No file ${fileId} of upload ${uploadId}`);
    }
    const present = file.contentUploadId;
    if (present !== undefined && present >= uploadId) {
      return { ...file, contentUploadId: present };
    }
    if (await uploads.replaceContent(file, { uploadId, key, ...completion })) {
      const replaced = present === undefined ? [] : [present];
      return { ...file, contentUploadId: uploadId, superseded: [...file.superseded, ...replaced] };
    }
  }
  throw new InternalError(`File ${fileId} kept changing while upload ${uploadId} was recorded`);
}

type StoredFileWithContent = StoredFile & { readonly contentUploadId: string };

/** Marks what newer content replaced: this upload, if it came late, and what the file's outbox still holds. */
async function markReplaced(
  { uploadId }: UploadWithContent,
  file: StoredFileWithContent,
  dependencies: RecordDependencies,
): Promise<void> {
  if (file.contentUploadId > uploadId) {
    await supersede(uploadId, dependencies);
  }
  await clearSuperseded(file, dependencies);
}
