import { timestamp } from '../../../storage/attributes.ts';
import { InternalError } from '../log/log.ts';
import type { Bucket } from './bucket.ts';
import type { Tables } from './tables.ts';

export interface SupersedeDependencies {
  readonly tables: Tables;
  readonly bucket: Bucket;
  readonly now: () => Date;
}

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
 * Supersedes the uploads in the list `superseded` of a file, oldest first. Two events may do so at the same time: each
 * step is safe to repeat, and each upload is removed from the list once.
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
