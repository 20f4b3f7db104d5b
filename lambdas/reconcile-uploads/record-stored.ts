import { objectKeyOf } from '../../storage/object-key.ts';
import { isBeforeFirstCheck, isEventLate } from '../../storage/unrecorded.ts';
import { idsOf, ownerOf } from '../shared/recording/facts.ts';
import { recordCancelled, recordObject } from '../shared/recording/record-object.ts';
import type { DueUpload } from './due-uploads.ts';
import type { ReconcileDependencies } from './reconcile-upload.ts';

/**
 * Records and announces a stored upload whose event is missing, before the upload is due.
 *
 * @returns undefined for an upload without an object, and while its event may still arrive. It does not change
 * @throws {Error} if a step failed
 */
export async function recordMissing(
  found: DueUpload,
  dependencies: ReconcileDependencies,
): Promise<'missing' | undefined> {
  const isRecorded = isBeforeFirstCheck(found) && (await recordStored(found, dependencies, true));
  return isRecorded ? 'missing' : undefined;
}

/**
 * Records and announces an upload, if it is stored. Reads the bucket first: most unrecorded uploads have no
 * object, and need no read of the table.
 *
 * @param ifLate true if the event may still arrive, so that only a late one counts as missing
 * @returns false if the upload did not change
 */
export async function recordStored(
  { upload_id, due_at }: DueUpload,
  dependencies: ReconcileDependencies,
  ifLate = false,
): Promise<boolean> {
  const { objects, tables, now, log } = dependencies;
  const object = await objects.find(objectKeyOf(upload_id));
  if (object === undefined || (ifLate && !isEventLate(object.createdAt, now()))) {
    return false;
  }
  const upload = await tables.readUpload(upload_id);
  if (upload?.due_at !== due_at || upload.state === 'completed') {
    return false;
  }
  const outcome =
    upload.state === 'cancelled'
      ? await recordCancelled(upload, dependencies)
      : await recordObject(object, dependencies);
  if (outcome === 'known' || outcome === 'ignored') {
    return false;
  }
  const fields = { ...idsOf(upload), ...ownerOf(upload), stored_at: object.createdAt.toISOString() };
  log('WARN', 'eventMissing', fields, ifLate ? { UploadEventsMissing: 1 } : undefined);
  return true;
}
