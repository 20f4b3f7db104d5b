import { timestamp } from '../../storage/attributes.ts';
import type { FileContent } from '../../storage/file.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import type { CompletedUpload, IssuedUpload, Upload } from '../../storage/upload.ts';
import { isEventLate, lastCheckAt, nextCheckAt, type RecordEnd } from '../../storage/upload-due.ts';
import { idsWithOwner } from '../shared/recording/facts.ts';
import { type RecordDependencies, recordCancelled, recordObject } from '../shared/recording/record-object.ts';
import type { DueObjects } from './bucket.ts';
import type { DueUpload, DueUploads } from './due-uploads.ts';

export interface ReconcileDependencies extends RecordDependencies {
  readonly due: DueUploads;
  readonly objects: DueObjects;
}

/**
 * Outcome of an upload:
 *
 * - `recorded`: its completion or its cancellation is recorded and announced now;
 * - `announced`: its last event is sent again, for an operator;
 * - `expired`: its URL expired unused;
 * - `deleted`: its content was replaced, and is deleted now;
 * - `done`: no step is left. For example, its URL is still unused a day later;
 * - `unchanged`: another run checked it meanwhile, or a later check is scheduled.
 */
export type ReconcileOutcome = 'recorded' | 'announced' | 'expired' | 'deleted' | 'done' | 'unchanged';

/**
 * Records an upload that is not due yet, if it is stored and its event is missing. Reads the bucket first: most
 * unrecorded uploads have no object.
 */
export async function recordMissing(
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const object = await dependencies.objects.find(objectKeyOf(found.upload_id));
  return object !== undefined && isEventLate(object.createdAt, dependencies.now())
    ? reconcileUpload(found, dependencies)
    : 'unchanged';
}

/** Sorts after every time. */
const never = '~';

/**
 * Records an upload before it is due, or after its last check, if it is stored. Its event may still be on its way.
 *
 * @throws {Error} if a step failed
 */
export async function recordStored(
  upload: Upload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const { upload_id, due_at } = upload;
  if (due_at !== undefined) {
    return reconcileUpload({ upload_id, due_at }, dependencies);
  }
  return upload.state === 'issued'
    ? recordOrExpire(upload, { upload_id, due_at: never }, dependencies)
    : 'unchanged';
}

/** True if the time of the next check of an upload has come. */
export function isDue({ due_at }: DueUpload, { now }: ReconcileDependencies): boolean {
  return due_at <= timestamp(now());
}

/**
 * Checks one upload. Unless its end is recorded, reads the object from S3, because the event of the object may
 * be lost. The code that records events also records this object, so an event and a check may take the same
 * step at the same time, or repeat it. An upload that is not due yet is only recorded: its URL may still be used.
 *
 * @throws {Error} if a step failed; the upload stays due
 */
export async function reconcileUpload(
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const upload = await dependencies.tables.readUpload(found.upload_id);
  if (upload?.due_at !== found.due_at) {
    return 'unchanged';
  }
  switch (upload.state) {
    case 'completed':
      return isDue(found, dependencies) ? endCompleted(upload, found, dependencies) : 'unchanged';
    case 'cancelled':
      await recordCancelled(upload, dependencies);
      return reported(upload, found, dependencies);
    case 'issued':
      return recordOrExpire(upload, found, dependencies);
  }
}

async function recordOrExpire(
  upload: IssuedUpload,
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const object = await dependencies.objects.find(upload.key);
  const canEnd = isDue(found, dependencies);
  if (object === undefined) {
    return canEnd ? expire(upload, found, dependencies) : 'unchanged';
  }
  switch (await recordObject(object, dependencies)) {
    case 'known':
      return canEnd ? endDeleted(upload, found, dependencies) : 'unchanged';
    case 'ignored':
      // The object is a second version. After people have removed it, a later check finds the version that
      // was recorded first.
      return 'unchanged';
    case 'completed':
    case 'cancelled':
    case 'discarded':
      return reported(upload, found, dependencies);
  }
}

/**
 * Deletes the content of a completed upload, if the file has other content. A DELETE that an earlier look made is
 * repeated, which is free.
 */
async function endCompleted(
  upload: CompletedUpload,
  found: DueUpload,
  { due, objects, tables, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const file = await tables.readFileContent(upload.file_id);
  const isDeleted = file?.deleted_at !== undefined && file.undeleted_at === undefined;
  if (!isDeleted && file?.content?.upload_id === upload.upload_id) {
    // The function that recorded the later content stopped before it pointed the file at that content.
    await tables.postpone(found, nextCheckAt(now()));
    return 'unchanged';
  }
  await objects.deleteObject(upload.key);
  if (!(await due.endReplaced(found, timestamp(now()), endWith(file)))) {
    return 'unchanged';
  }
  log('INFO', 'contentDeleted', idsWithOwner(upload));
  return 'deleted';
}

/**
 * Returns the end of a record whose file is deleted. The command that deleted the file may have missed the
 * upload, because the index that lists uploads lagged behind. If the deletion was interrupted, repeating the
 * command ends the record.
 */
function endWith(file: FileContent | undefined): RecordEnd | undefined {
  const { deleted_at, delete_after } = file ?? {};
  return delete_after === undefined ? undefined : { deleted_at, delete_after };
}

/**
 * Ends an upload whose object is the tombstone of a deleted file. The version below it is not content, and is
 * not announced.
 */
async function endDeleted(
  upload: IssuedUpload,
  found: DueUpload,
  { due, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (!(await due.endUnused(found, { expired_at: timestamp(now()) }))) {
    // An event completed or cancelled the upload meanwhile.
    return 'unchanged';
  }
  log('INFO', 'uploadDiscarded', idsWithOwner(upload));
  return 'done';
}

/**
 * Reports an upload whose event was lost, or could not be recorded in any attempt. Alarms count this case,
 * because it should not happen: one for due uploads, and one for uploads that are not due yet.
 */
function reported(upload: Upload, found: DueUpload, dependencies: ReconcileDependencies): 'recorded' {
  const fields = { ...idsWithOwner(upload), state_before: upload.state };
  const metric = isDue(found, dependencies) ? 'UploadsReconciled' : 'UploadEventsMissing';
  dependencies.log('WARN', 'uploadReconciled', fields, { [metric]: 1 });
  return 'recorded';
}

/**
 * Announces an expired upload before the write, so that a crash cannot leave an expired upload unannounced. A
 * PUT that began before the URL expired may still be in progress, so the upload is checked once more. Until
 * then `Upload Completed` may follow.
 */
async function expire(
  upload: IssuedUpload,
  found: DueUpload,
  { due, announce, tables, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const at = timestamp(now());
  if (upload.expired_at === undefined) {
    await announce({ kind: 'expired', upload, at });
  }
  const last = lastCheckAt(upload.expires_at);
  const write =
    last > at
      ? due.expire(found, at, last)
      : due.endUnused(found, { expired_at: at, ...endWith(await tables.readFileContent(upload.file_id)) });
  if (!(await write)) {
    return 'unchanged';
  }
  if (upload.expired_at !== undefined) {
    return 'done';
  }
  log('INFO', 'uploadExpired', idsWithOwner(upload), { UploadsExpired: 1 });
  return 'expired';
}

/**
 * Sends the last event of an upload again, with its `event_id`. The record does not change, so this is safe to
 * repeat.
 *
 * @returns `unchanged` if the upload was not announced yet, or its file is deleted
 * @throws {NotAnnouncedError} if EventBridge did not accept the event
 */
export async function announceAgain(
  upload: Upload,
  { tables, announce }: RecordDependencies,
): Promise<'announced' | 'unchanged'> {
  const at = upload.state === 'issued' ? upload.expired_at : upload.announced_at;
  const file = at && (await tables.readFileContent(upload.file_id));
  if (!file || file.deleted_at !== undefined) {
    return 'unchanged';
  }
  const isNewestContent = file.content?.upload_id === upload.upload_id;
  switch (upload.state) {
    case 'completed':
      await announce({ kind: 'completed', upload, content: upload, isNewestContent });
      break;
    case 'cancelled':
      await announce({ kind: 'cancelled', upload, at: upload.cancelled_at });
      break;
    case 'issued':
      await announce({ kind: 'expired', upload, at });
  }
  return 'announced';
}
