import { timestamp } from '../../storage/attributes.ts';
import { InternalError } from '../shared/log.ts';
import type { RecordDependencies } from './record-object.ts';

type SupersedeDependencies = Pick<RecordDependencies, 'tables' | 'bucket' | 'now'>;

/**
 * Marks the object of a replaced upload by a tombstone version, which starts the clock of its retention. The upload's
 * URL stays closed: the key still exists, so that a PUT gets 412. A crash between the two writes leads to a second
 * tombstone, which changes nothing: the content's clock started with the first.
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
 * Works off the outbox of a file, oldest first. Two events may do so at the same time: each step is right to repeat,
 * and an upload leaves the outbox once.
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
