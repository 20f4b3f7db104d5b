import { timestamp } from '../../storage/attributes.ts';
import { objectKeyOf } from '../../storage/object-key.ts';
import type { Upload } from '../../storage/upload.ts';
import { lastLookAt } from '../../storage/upload-due.ts';
import type { CreatedObject } from '../shared/recording/bucket.ts';
import {
  idsOf,
  ownerOf,
  type RecordDependencies,
  recordCancelled,
  recordObject,
} from '../shared/recording/record-object.ts';
import type { DueUpload, DueUploads } from './due-uploads.ts';

export interface ReconcileDependencies extends RecordDependencies {
  readonly due: DueUploads;
  /** Reads the version of an object that S3 stored first; undefined when there is none. */
  readonly readFirstVersion: (objectKey: string) => Promise<CreatedObject | undefined>;
}

/**
 * What became of a due upload:
 *
 * - `recorded`: its bytes had arrived, or its cancellation had begun, and that was not recorded or not announced;
 * - `expired`: nobody had used its URL;
 * - `settled`: nobody has used it a day later either;
 * - `current`: nothing was left to do.
 */
export type ReconcileOutcome = 'recorded' | 'expired' | 'settled' | 'current';

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
  const upload = await dependencies.tables.readUpload(found.upload_id);
  // The index may be behind the table: what is not due any more was settled or looked at meanwhile.
  if (upload?.due_at === undefined || upload.due_at !== found.due_at) {
    return 'current';
  }
  if (upload.state === 'completed') {
    return record(upload, objectOf(upload), dependencies);
  }
  const object = await dependencies.readFirstVersion(objectKeyOf(upload.upload_id));
  if (object !== undefined) {
    const outcome = await record(upload, object, dependencies);
    return outcome === 'current' ? settleWithoutContent(found, dependencies) : outcome;
  }
  if (upload.state === 'cancelled') {
    await recordCancelled(upload, dependencies);
    return reported(upload, dependencies);
  }
  return expire(upload, found, dependencies);
}

/** The object of a completed upload, as it was recorded. */
function objectOf({
  key,
  version_id,
  size,
  etag,
  completed_at,
}: Extract<Upload, { readonly state: 'completed' }>): CreatedObject {
  return { key, versionId: version_id, size, etag, createdAt: new Date(completed_at) };
}

async function record(
  upload: Upload,
  object: CreatedObject,
  dependencies: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  const outcome = await recordObject(object, dependencies);
  return outcome === 'known' ? 'current' : reported(upload, dependencies);
}

/**
 * The first version that is left is a tombstone over content: the content was replaced and its retention is over. So this
 * function did not run for at least a day. Nothing is left to announce.
 */
async function settleWithoutContent(
  found: DueUpload,
  { due, now, log }: ReconcileDependencies,
): Promise<ReconcileOutcome> {
  if (await due.expire(found, timestamp(now()), undefined)) {
    log('WARN', 'contentGone', { upload_id: found.upload_id });
    return 'settled';
  }
  return 'current';
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
  upload: Extract<Upload, { readonly state: 'issued' }>,
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
    return 'current';
  }
  if (upload.expired_at !== undefined) {
    return 'settled';
  }
  log('INFO', 'uploadExpired', { ...idsOf(upload), ...ownerOf(upload) }, { UploadsExpired: 1 });
  return 'expired';
}
