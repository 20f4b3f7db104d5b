import type { Deployment } from './deployment/deployment.ts';
import { CommandError, isUnreachable, reasonOf, systemCode } from './errors.ts';
import { getUpload, type Upload } from './uploads.ts';

export interface WatchOptions {
  /** Called with the upload at the start and after each change of its state. */
  readonly changed: (upload: Upload) => void;
  /** Called with the reason when AWS becomes unreachable. */
  readonly unreachable: (reason: string) => void;
  /** Waits between two reads. */
  readonly pause: () => Promise<unknown>;
  /** The watch fails when AWS is unreachable for longer. */
  readonly maximumUnreachableMilliseconds: number;
  /** A clock in milliseconds, from any starting point. */
  readonly now: () => number;
}

/**
 * Waits until an upload ends, that is, until it is no longer `issued`.
 *
 * @throws {CommandError} when there is no upload with this id, or AWS stayed unreachable
 */
export async function watchUpload(
  deployment: Deployment,
  uploadId: string,
  options: WatchOptions,
): Promise<Upload> {
  // The first read is not retried, so that a wrong configuration fails immediately.
  let upload = await getUpload(deployment, uploadId);
  options.changed(upload);
  while (upload.state === 'issued') {
    await options.pause();
    const next = await getUploadWithRetries(deployment, uploadId, options);
    if (next.state !== upload.state) {
      options.changed(next);
    }
    upload = next;
  }
  return upload;
}

/** Reads the upload, and retries while AWS is unreachable: a watch may last an hour, and the network may fail briefly. */
async function getUploadWithRetries(
  deployment: Deployment,
  uploadId: string,
  { unreachable, pause, maximumUnreachableMilliseconds, now }: WatchOptions,
): Promise<Upload> {
  let since: number | undefined;
  for (;;) {
    try {
      return await getUpload(deployment, uploadId);
    } catch (error) {
      if (!isOutage(error)) {
        throw error;
      }
      if (since === undefined) {
        unreachable(unreachableReason(error));
      }
      since ??= now();
      if (now() - since >= maximumUnreachableMilliseconds) {
        throw stillUnreachable(error, maximumUnreachableMilliseconds);
      }
      await pause();
    }
  }
}

/** The host name was found before, so ENOTFOUND is an outage too. The SDK's own timeouts have no system code. */
function isOutage(error: unknown): boolean {
  return isUnreachable(error) || (error instanceof Error && error.name === 'TimeoutError');
}

/** The SDK's own timeouts have no code, and a message about its internals. */
function unreachableReason(error: unknown): string {
  return systemCode(error) === undefined ? 'no answer came in time' : reasonOf(error);
}

function stillUnreachable(error: unknown, maximumUnreachableMilliseconds: number): CommandError {
  return new CommandError(
    `AWS did not answer for ${maximumUnreachableMilliseconds / 1000} s: ${unreachableReason(error)}. ` +
      'The upload was still issued at the last answer: run the command again when AWS can be reached.',
  );
}
