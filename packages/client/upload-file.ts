import { FileSyncError } from './errors.ts';
import { putSource } from './put-source.ts';
import { type Attempt, type RetryPolicy, retry } from './retry.ts';
import type { Calling, RequestUploadUrl } from './service-api.ts';
import { type OpenSource, openSource, type UploadSource } from './source.ts';
import { compareEtag, judgeOutcome } from './storage-response.ts';
import { formatBytes, shown } from './text.ts';

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
  /** MD5 of the bytes sent, lower-case hex. */
  readonly md5: string;
  /** ETag of the stored bytes, without quotes. */
  readonly etag: string | undefined;
  /** True if the ETag is the MD5 of the bytes sent. A storage that encrypts with a KMS key has another ETag. */
  readonly verified: boolean;
  readonly attempts: number;
  readonly seconds: number;
}

/** One upload. */
interface Job extends UploadOptions {
  readonly requestUploadUrl: RequestUploadUrl;
  readonly fileId: string;
  readonly source: UploadSource;
  readonly sleep: (milliseconds: number, signal: AbortSignal | undefined) => Promise<unknown>;
}

/** Progress of an upload, for messages after a failure. */
interface Journal {
  /** Request ids of the service's last response, and of the S3 response to the PUT after it. */
  requestId?: string | undefined;
  storageRequestId?: string | undefined;
  /** Progress of the last PUT: empty, or ` after 1.0 MiB of 5.0 MiB were sent`. */
  moment: string;
  /** Uploads that were sent completely, but without a response. They may be stored. */
  readonly unfinished: Set<string>;
}

/**
 * Uploads the source into the file. Each attempt requests a new upload URL: an interrupted attempt may have
 * used up its URL, and the client cannot check that.
 *
 * @throws {FileSyncError} with the uploads that may be stored anyway, and the ids to quote to the operator
 */
export async function uploadFile(job: Job): Promise<UploadResult> {
  const journal: Journal = { moment: '', unfinished: new Set() };
  const done = new AbortController();
  try {
    return await Promise.race([run(job, journal), rejectOnAbort(job.signal, done.signal)]);
  } catch (error) {
    throw withJournal(job.signal?.aborted ? aborted(job.signal, journal) : error, journal);
  } finally {
    done.abort();
  }
}

function rejectOnAbort(signal: AbortSignal | undefined, done: AbortSignal): Promise<never> {
  return new Promise((_, reject) => {
    const abort = () => reject(signal?.reason);
    if (signal?.aborted) {
      abort();
    }
    signal?.addEventListener('abort', abort, { signal: done });
  });
}

async function run(job: Job, journal: Journal): Promise<UploadResult> {
  const startedAt = performance.now();
  const source = await openSource(job.source);
  const policy: RetryPolicy = {
    sleep: (milliseconds) => job.sleep(milliseconds, job.signal),
    onRetry: (reason, wait) => job.onRetry?.(`${reason}${quotation(journal)}`, wait),
  };
  try {
    return await retry(policy, async (attempts) => {
      const attempt = await attemptUpload(job, source, policy, journal);
      const seconds = Math.round(performance.now() - startedAt) / 1000;
      return 'done' in attempt ? { done: { ...attempt.done, attempts, seconds } } : attempt;
    });
  } finally {
    await source.close();
  }
}

async function attemptUpload(
  { fileId, requestUploadUrl, signal, onProgress }: Job,
  source: OpenSource,
  policy: RetryPolicy,
  journal: Journal,
): Promise<Attempt<Omit<UploadResult, 'attempts' | 'seconds'>>> {
  const onResponse = (requestId: string | undefined) => {
    journal.requestId = requestId;
    journal.storageRequestId = undefined;
  };
  const calling: Calling = { ...policy, onResponse };
  const { size } = source;
  const url = await requestUploadUrl(fileId, calling);
  // The object key ends with the upload id, which operators use to find the upload.
  const uploadId = shown(url.pathname.split('/').at(-1) ?? '');
  journal.moment = '';
  const onSent = (sent: number) => {
    journal.moment = ` after ${formatBytes(sent)} of ${formatBytes(size)} were sent`;
    if (sent === size) {
      journal.unfinished.add(uploadId);
    }
    onProgress?.(sent, size);
  };
  const outcome = await putSource({ url, source, onSent, signal });
  if ('response' in outcome) {
    journal.unfinished.delete(uploadId);
    journal.storageRequestId = outcome.response.requestId;
  }
  const stored = judgeOutcome(outcome, journal.moment);
  if (!('done' in stored)) {
    return stored;
  }
  const { md5, response } = stored.done;
  return { done: { fileId, uploadId, size, md5, ...compareEtag(md5, response) } };
}

function aborted({ reason }: AbortSignal, { moment, unfinished }: Journal): FileSyncError {
  const nothing = unfinished.size > 0 ? '' : ' Nothing was stored.';
  return new FileSyncError('aborted', `Stopped${moment}.${nothing}`, { cause: reason });
}

/** Adds to a failure the uploads that may be stored anyway, and the ids to quote to the operator. */
function withJournal(error: unknown, journal: Journal): unknown {
  if (!(error instanceof FileSyncError)) {
    return error;
  }
  const { requestId, storageRequestId } = journal;
  const maybeStored = [...journal.unfinished];
  const uploads = maybeStored.join(' and ');
  const doubt =
    uploads &&
    ` An upload was sent completely without a response, so it may be stored anyway: upload ${uploads}. An operator can check with upload show.`;
  return new FileSyncError(error.code, `${error.message}${doubt}${quotation(journal)}`, {
    requestId,
    storageRequestId,
    maybeStored,
    cause: error.cause,
  });
}

/** Returns a sentence with the request ids to quote. Empty if no response contained a request id. */
function quotation({ requestId, storageRequestId }: Journal): string {
  const ofStorage = storageRequestId && `${storageRequestId} of the storage`;
  const ids = [requestId, ofStorage].filter(Boolean).join(' and ');
  return ids && ` If you ask the operator, quote request id ${ids}.`;
}
