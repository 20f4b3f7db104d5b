import { timestamp } from '../../storage/attributes.ts';
import { InternalError } from '../shared/log.ts';
import type { RecordDependencies } from './record-object.ts';

type SupersedeDependencies = Pick<RecordDependencies, 'tables' | 'bucket' | 'now'>;

/**
 * Puts a tombstone over the object of a replaced upload. The retention time of the content starts then. The upload's URL
 * stays closed: the key still exists, so a PUT gets 412. After a crash between the two writes, the next attempt puts a
 * second tombstone. That changes nothing: the retention time started with the first.
 */
export async function supersede(
  uploadId: string,
  { tables, bucket, now }: SupersedeDependencies,
): Promise<void> {
  const upload = await tables.readUpload(uploadId);
  if (upload === undefined) {
    throw new InternalError(`No upload ${uploadId} to supersede`);
  }
  if (upload.superseded_at !== undefined) {
    return;
  }
  await bucket.putSupersededTombstone(upload.key);
  await tables.markSuperseded(uploadId, timestamp(now()));
}

/**
 * Supersedes the uploads in the outbox of a file, oldest first. Two events may do so at the same time: each step is safe
 * to repeat, and each upload is removed from the outbox once.
 */
export async function clearOutbox(
  fileId: string,
  outbox: readonly string[],
  dependencies: SupersedeDependencies,
): Promise<void> {
  for (const uploadId of outbox) {
    await supersede(uploadId, dependencies);
    await dependencies.tables.shiftSuperseded(fileId, uploadId);
  }
}
