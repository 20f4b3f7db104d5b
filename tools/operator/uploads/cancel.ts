import { setTimeout as sleep } from 'node:timers/promises';
import { retry } from '../../../contract/internal/retry.ts';
import { updateToCancelled } from '../../../storage/upload.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { updateItem } from '../deployment/items.ts';
import { putTombstone, readTombstone } from '../deployment/objects.ts';
import type { ActionContext } from '../description/action.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { forEachUpload } from './each-upload.ts';
import { isOutstanding, outstandingUploads } from './outstanding.ts';
import { getUpload, type Upload, type UploadSelection } from './upload.ts';

/** S3 responds with 409 during another conditional write to the key. The other write soon succeeds or fails. */
const conflictRetries = { firstWaitMilliseconds: 300, maxAttempts: 6, sleep, random: Math.random };

/** Outcome of an attempt to cancel an upload, with the upload after the attempt. */
export interface CancelAttempt {
  /**
   * Outcome of the attempt. Only `cancelled` is a change.
   *
   * - `cancelled`: the URL is cancelled, by this attempt or by an earlier one that could not mark the upload
   * - `done before`: the upload was completed or cancelled before this attempt, or its URL expired a day ago
   * - `arrived`: the bytes are stored. `record-upload` completes the upload when it receives the event of the
   * bytes
   */
  readonly outcome: 'cancelled' | 'done before' | 'arrived';
  readonly upload: Upload;
}

/**
 * Tries to cancel an upload URL. Writes the tombstone only if the key has no object (`If-None-Match: *`), so
 * either the cancel or the upload succeeds, never both.
 *
 * An expired URL is cancelled too, for a day. S3 checks the expiration at the start of a request, so an
 * earlier PUT may still be in progress (S3, "Download and upload objects with presigned URLs", expiration).
 * Such a PUT gets 412 at its end.
 *
 * @throws {OperationError} when there is no upload with this id, or a PUT to its URL is in progress
 */
export async function tryToCancel(deployment: Deployment, uploadId: string): Promise<CancelAttempt> {
  const upload = await getUpload(deployment, uploadId);
  if (!isOutstanding(upload, deployment.now())) {
    return { outcome: 'done before', upload };
  }
  if (!(await blockKey(deployment, upload.key))) {
    return { outcome: 'arrived', upload };
  }
  // A rejected update is no error: the upload was completed at the same time.
  await updateItem(deployment, 'upload', updateToCancelled(uploadId, timeOf(deployment)));
  const after = await getUpload(deployment, uploadId);
  return { outcome: after.state === 'cancelled' ? 'cancelled' : 'done before', upload: after };
}

/**
 * Cancels an unused upload URL with {@link tryToCancel}.
 *
 * @throws {OperationError} when the URL was used, already cancelled, or expired a day ago. The upload is then
 * unchanged
 */
export async function cancelUpload(deployment: Deployment, uploadId: string): Promise<Upload> {
  const { outcome, upload } = await tryToCancel(deployment, uploadId);
  if (outcome !== 'cancelled') {
    const state = outcome === 'arrived' ? 'stored, and about to be completed' : upload.state;
    throw new OperationError(
      `The upload ${quoted(uploadId)} is already ${state}, so no other content can arrive. Nothing was changed.`,
      { noun: 'upload', verb: 'show', id: uploadId },
    );
  }
  return upload;
}

/**
 * Cancels all upload URLs through which bytes may still arrive.
 *
 * @throws {OperationError} at the end, when a URL may still work
 */
export function cancelOutstanding(context: ActionContext, selection: UploadSelection) {
  const { deployment } = context;
  const pages = outstandingUploads(deployment, selection);
  return forEachUpload(context, 'Cancelling', pages, async ({ upload_id }) => {
    return (await tryToCancel(deployment, upload_id)).outcome === 'cancelled';
  });
}

/**
 * Puts a tombstone on a key without an object.
 *
 * @returns true if the key now stores a tombstone, from this call or from an earlier one that could not mark
 * the upload
 */
async function blockKey(deployment: Deployment, key: string): Promise<boolean> {
  const taken = await retry(conflictRetries, async () => {
    try {
      await putTombstone(deployment, key, 'cancelled', '*');
      return true;
    } catch (error) {
      const name = error instanceof Error && error.name;
      if (name === 'PreconditionFailed') {
        return (await readTombstone(deployment, key)) === 'cancelled';
      }
      if (name === 'ConditionalRequestConflict') {
        return undefined;
      }
      throw error;
    }
  });
  if (taken === undefined) {
    throw new OperationError(
      'An upload to this URL is in progress. Nothing was changed: try again when the upload has ended.',
    );
  }
  return taken;
}
