import { createHash } from 'node:crypto';
import { setTimeout as wait } from 'node:timers/promises';
import { backoffMilliseconds } from './backoff.ts';
import { FileSyncError } from './errors.ts';
import { send } from './http.ts';
import { createRequestUploadUrl, type RequestUploadUrl, type Settings } from './service.ts';
import { type OpenSource, openSource, readSource, type UploadSource } from './source.ts';
import { checkStored, compareEtag, type Verification } from './storage.ts';
import { formatBytes, shown } from './text.ts';

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

export interface UploadResult extends Verification {
  readonly fileId: string;
  /** Id of the upload, for questions to the operator. */
  readonly uploadId: string;
  /** Size in bytes. */
  readonly size: number;
  /** MD5 of the source, lower-case hex. */
  readonly md5: string;
  readonly attempts: number;
  readonly seconds: number;
}

/** Facts about an upload so far, for messages after a failure. */
interface Journal {
  /** Request ids of the service's last response, and of the S3 response to the PUT after it. */
  requestId?: string | undefined;
  storageRequestId?: string | undefined;
  /** Uploads that were sent completely, but without a response. */
  maybeStored: readonly string[];
  /** Progress of a PUT without a response: empty, or ` after 1.0 MiB of 5.0 MiB were sent`. */
  moment: string;
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
export function createFileSyncClient({ sleep = defaultSleep, ...settings }: FileSyncClientOptions) {
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
      const journal: Journal = { moment: '', maybeStored: [] };
      const opened = await openSource(source);
      try {
        for (let attempts = 1; ; attempts += 1) {
          try {
            const result = await attemptUpload(requestUploadUrl, fileId, opened, options, journal);
            return { ...result, attempts, seconds: Math.round(performance.now() - startedAt) / 1000 };
          } catch (error) {
            const { message, retryAfterSeconds } = retriable(error, attempts);
            const pause = Math.max(retryAfterSeconds * 1000, backoffMilliseconds(attempts, Math.random()));
            options.onRetry?.(`${message}${quotation(journal)}`, pause);
            await sleep(pause, options.signal);
          }
        }
      } catch (error) {
        throw withJournal(error, options.signal, journal);
      } finally {
        await opened.close?.();
      }
    },
  };
}

function defaultSleep(milliseconds: number, signal: AbortSignal | undefined): Promise<unknown> {
  return wait(milliseconds, undefined, signal && { signal });
}

async function attemptUpload(
  requestUploadUrl: RequestUploadUrl,
  fileId: string,
  source: OpenSource,
  { signal, onProgress }: UploadOptions,
  journal: Journal,
) {
  const { size } = source;
  journal.moment = '';
  const onResponse = (requestId?: string) =>
    Object.assign(journal, { requestId, storageRequestId: undefined });
  const url = await requestUploadUrl(fileId, signal, onResponse);
  // The object key ends with the upload id, which operators use to find the upload.
  const uploadId = shown(url.pathname.split('/').at(-1) ?? '');
  const hash = createHash('md5');
  const others = journal.maybeStored;
  let sent = 0;
  const describe = () => ` after ${formatBytes(sent)} of ${formatBytes(size)} were sent`;
  journal.moment = describe();
  const onChunk = (chunk: Uint8Array) => {
    if (source.md5 === undefined) {
      hash.update(chunk);
    }
    // The storage may receive the last byte before the chunk is reported as written, so the count includes it.
    sent += chunk.length;
    journal.moment = describe();
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
  }).catch((error: unknown) => {
    if (error instanceof FileSyncError && error.code === 'unavailable') {
      const doubt = journal.maybeStored === others ? 'Nothing was stored.' : 'The upload may be stored.';
      error.message += ` It ended${journal.moment}. ${doubt}`;
    }
    throw error;
  });
  Object.assign(journal, { moment: '', maybeStored: others, storageRequestId: response.requestId });
  checkStored(response);
  const md5 = (await source.md5) ?? hash.digest('hex');
  return { fileId, uploadId, size, md5, ...compareEtag(md5, response) };
}

/**
 * Returns the error of an attempt if another one may succeed.
 *
 * @throws the error if it is final
 */
function retriable(error: unknown, attempts: number): FileSyncError {
  if (!(error instanceof FileSyncError) || error.code !== 'unavailable') {
    throw error;
  }
  const { retryAfterSeconds: seconds } = error;
  const isLast = attempts === maxAttempts;
  if (isLast || seconds > maxWaitSeconds) {
    error.message += isLast
      ? ` Gave up after ${attempts} attempts.`
      : ` It asks to wait ${seconds} s: try again later.`;
    throw error;
  }
  return error;
}

/** Adds to a failure the uploads that may be stored anyway, and the ids to quote to the operator. */
function withJournal(
  error: unknown,
  signal: AbortSignal | undefined,
  { moment, ...facts }: Journal,
): unknown {
  const stopped =
    signal?.aborted && new FileSyncError('aborted', `Stopped${moment}.`, { cause: signal.reason });
  const failure = stopped || error;
  if (!(failure instanceof FileSyncError)) {
    return failure;
  }
  const nothing = stopped ? ' Nothing was stored.' : '';
  const uploads = facts.maybeStored.join(' and ');
  const doubt = uploads
    ? ` An upload was sent completely without a response, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`
    : nothing;
  const message = `${failure.message}${doubt}${quotation(facts)}`;
  return Object.assign(failure, { ...facts, message });
}

/** Returns a sentence with the request ids to quote. Empty if no response contained a request id. */
function quotation({ requestId, storageRequestId }: Omit<Journal, 'moment'>): string {
  const ofStorage = storageRequestId && `${storageRequestId} of the storage`;
  const ids = [requestId, ofStorage].filter(Boolean).join(' and ');
  return ids && ` If you ask the operator, quote request id ${ids}.`;
}
