import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { backoffMilliseconds } from './backoff.ts';
import { FileSyncError } from './errors.ts';
import { send } from './http.ts';
import { createRequestUploadUrl, type RequestIds, type Settings } from './service.ts';
import { type OpenSource, openSource, readSource, type UploadSource } from './source.ts';
import { checkStored, compareEtag } from './storage.ts';
import { shown } from './text.ts';

export { FileSyncError, type FileSyncErrorCode } from './errors.ts';
export type { StreamSource, UploadSource } from './source.ts';

export interface FileSyncClientOptions extends Settings {
  /** Sleep function. Default: a real wait. For tests. */
  readonly sleep?: ((milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>) | undefined;
}

export interface UploadOptions {
  /** Stops the upload. It then fails with the code `aborted`, and the reason as `cause`. */
  readonly signal?: AbortSignal | undefined;
  /** Called with the bytes of the current attempt that were sent so far. It must not throw. */
  readonly onProgress?: ((sentBytes: number, totalBytes: number) => void) | undefined;
  /** Called before the wait of each retry, with the reason in words. */
  readonly onRetry?: ((reason: string, waitMilliseconds: number) => void) | undefined;
}

export interface UploadResult {
  readonly fileId: string;
  /** Id of the upload, for questions to the operator. */
  readonly uploadId: string;
  /** Size in bytes. */
  readonly size: number;
  /** MD5 of the source, lower-case hex. */
  readonly md5: string;
  /** ETag of the stored bytes, without quotes. */
  readonly etag: string | undefined;
  /** True if the ETag is the MD5 of the source. A storage that encrypts with a KMS key has another ETag. */
  readonly verified: boolean;
  readonly attempts: number;
  readonly seconds: number;
}

/** Facts about an upload so far, for messages after a failure. */
interface Journal extends RequestIds {
  /** Uploads that were sent completely, but without a response. */
  maybeStored: readonly string[];
  readonly size: number;
  /** Bytes sent in a PUT without a response. */
  sent?: number | undefined;
}

const maxAttempts = 5;

/**
 * Maximum wait. For a longer wait, the caller decides: a person may come back later, and a job can be
 * scheduled again.
 */
const maxWaitSeconds = 120;

/** Minimum size for `Expect: 100-continue`, which lets the storage reject the request before the transfer. */
const expectContinueBytes = 1024 * 1024;

/**
 * Creates a client, which keeps its access token for all its uploads.
 *
 * @example
 * const client = createFileSyncClient({ baseUrl, clientId, clientSecret });
 * await client.uploadFile('orders', 'exports/orders.csv', { signal: AbortSignal.timeout(600_000) });
 *
 * @throws {FileSyncError} if the base URL is invalid
 */
export function createFileSyncClient({
  sleep = (milliseconds, signal) => wait(milliseconds, undefined, signal && { signal }),
  ...settings
}: FileSyncClientOptions) {
  const requestUploadUrl = createRequestUploadUrl(settings);
  return {
    /**
     * Replaces the content of a file of the service. Retries what may pass, each time with a new upload URL:
     * an interrupted attempt may have used up its URL, and the client cannot check that.
     *
     * @throws {FileSyncError} with the uploads that may be stored anyway, and the ids to quote to the operator
     */
    async uploadFile(
      fileId: string,
      source: UploadSource,
      options: UploadOptions = {},
    ): Promise<UploadResult> {
      const startedAt = performance.now();
      const opened = await openSource(source);
      const journal: Journal = { maybeStored: [], size: opened.size };
      let pause = 0;
      try {
        for (let attempts = 1; ; attempts += 1) {
          try {
            await (pause && sleep(pause, options.signal));
            const result = await attemptUpload(requestUploadUrl, fileId, opened, options, journal);
            return { ...result, attempts, seconds: Math.round(performance.now() - startedAt) / 1000 };
          } catch (error) {
            const { message, retryAfterSeconds } = retriable(error, attempts, options.signal, journal);
            pause = Math.max(retryAfterSeconds * 1000, backoffMilliseconds(attempts, Math.random()));
            options.onRetry?.(message, pause);
          }
        }
      } finally {
        await opened.close?.();
      }
    },
  };
}

async function attemptUpload(
  requestUploadUrl: ReturnType<typeof createRequestUploadUrl>,
  fileId: string,
  source: OpenSource,
  { signal, onProgress }: UploadOptions,
  journal: Journal,
) {
  const { size } = source;
  Object.assign(journal, { sent: undefined, storageRequestId: undefined });
  const url = await requestUploadUrl(fileId, signal, journal);
  // The object key ends with the upload id, which operators use to find the upload.
  const uploadId = shown(url.pathname.split('/').at(-1) ?? '');
  const hash = createHash('md5');
  const others = journal.maybeStored;
  journal.sent = 0;
  const onChunk = (chunk: Uint8Array) => {
    if (source.md5 === undefined) {
      hash.update(chunk);
    }
    // The storage may receive the last byte before the chunk is reported as written, so the count includes it.
    const sent = (journal.sent ?? 0) + chunk.length;
    journal.sent = sent;
    if (sent === size) {
      journal.maybeStored = [...others, uploadId];
    }
    onProgress?.(sent, size);
  };
  const response = await send({
    url,
    // No header that would require a signature.
    headers: {
      'content-length': String(size),
      ...(size >= expectContinueBytes && { expect: '100-continue' }),
    },
    body: readSource(source, onChunk),
    signal,
  });
  Object.assign(journal, { sent: undefined, maybeStored: others, storageRequestId: response.requestId });
  checkStored(response);
  const md5 = (await source.md5) ?? hash.digest('hex');
  return { fileId, uploadId, size, md5, ...compareEtag(md5, response) };
}

/**
 * Returns the error of an attempt if another one may succeed. Adds to an error the uploads that may be stored
 * anyway, and the ids to quote to the operator.
 *
 * @throws the error if it is final
 */
function retriable(
  error: unknown,
  attempts: number,
  signal: AbortSignal | undefined,
  { sent, size, ...facts }: Journal,
): FileSyncError {
  const isStopped = signal?.aborted;
  const failure = isStopped ? new FileSyncError('aborted', 'Stopped.', { cause: signal.reason }) : error;
  if (!(failure instanceof FileSyncError)) {
    throw failure;
  }
  const { code, retryAfterSeconds: seconds } = failure;
  const isTemporary = code === 'unavailable';
  const mayRetry = isTemporary && attempts < maxAttempts && seconds <= maxWaitSeconds;
  const uploads = facts.maybeStored.join(' and ');
  const ofStorage = facts.storageRequestId && `${facts.storageRequestId} of the storage`;
  const ids = [facts.requestId, ofStorage].filter(Boolean).join(' and ');
  const sentences = [
    failure.message,
    isTemporary && !mayRetry && `Gave up after ${attempts} of ${maxAttempts} attempts.`,
    sent !== undefined && `${sent} of ${size} bytes were sent.`,
    uploads
      ? `An upload was sent completely without a response, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`
      : (isStopped || sent !== undefined) && 'Nothing was stored.',
    ids && `If you ask the operator, quote request id ${ids}.`,
  ];
  Object.assign(failure, facts, { message: sentences.filter(Boolean).join(' ') });
  if (mayRetry) {
    return failure;
  }
  throw failure;
}
