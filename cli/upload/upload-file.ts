import { CommandError } from '../errors.ts';
import type { Progress } from '../progress.ts';
import { formatBytes, printable } from '../text.ts';
import { uploadExitCodes } from './exit-codes.ts';
import { type Answer, retryAfter } from './http.ts';
import { type PutOutcome, putSource } from './put.ts';
import { type Attempt, type RetryPolicy, retry } from './retry.ts';
import type { Service } from './service.ts';
import type { Source } from './source.ts';

export interface UploadJob {
  readonly service: Service;
  readonly fileId: string;
  readonly source: Source;
  readonly policy: RetryPolicy;
  /** Makes the display of one attempt. */
  readonly progress: () => Progress;
  /** Milliseconds; only differences count. */
  readonly now: () => number;
}

/** What is now where. */
export interface UploadResult {
  readonly file_id: string;
  /** Absent when the upload URL does not tell. */
  readonly upload_id?: string;
  /** Bytes. */
  readonly size: number;
  /** Of the bytes that were sent, lower-case hex. */
  readonly md5: string;
  /** What the storage calls them, without quotes. */
  readonly etag?: string;
  /** Whether the ETag is the MD5, so that both ends have the same bytes. */
  readonly verified: boolean;
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Uploads the source into the file. Each attempt has an upload URL of its own, since one that was interrupted may
 * be used up, and nothing tells.
 *
 * @throws {CommandError} with an exit code that tells why it was not uploaded, and with the id of every upload that
 *   may be stored all the same
 */
export async function uploadFile(job: UploadJob): Promise<UploadResult> {
  const startedAt = job.now();
  const unanswered: string[] = [];
  try {
    return await retry(job.policy, (attempts) => attemptUpload(job, attempts, startedAt, unanswered));
  } catch (error) {
    throw withUnanswered(error, unanswered);
  }
}

/** @param unanswered gets the upload if all of it was sent and the answer lost */
async function attemptUpload(
  job: UploadJob,
  attempts: number,
  startedAt: number,
  unanswered: string[],
): Promise<Attempt<UploadResult>> {
  const url = await job.service.issueUploadUrl(job.fileId);
  const { outcome, sent } = await put(url, job);
  if ('interrupted' in outcome && outcome.whole) unanswered.push(nameOf(url));
  const stored = judge(outcome, sent);
  if (!('done' in stored)) return stored;
  const { md5, answer } = stored.done;
  return {
    done: {
      file_id: job.fileId,
      ...uploadIdOf(url),
      size: job.source.size,
      md5,
      ...compare(md5, answer),
      attempts,
      seconds: Math.round(job.now() - startedAt) / 1000,
    },
  };
}

/** The last failure is not the whole truth where an earlier attempt may have been stored. */
function withUnanswered(error: unknown, uploads: readonly string[]): unknown {
  const [first, ...others] = uploads;
  if (first === undefined || !(error instanceof CommandError)) return error;
  const doubt =
    others.length === 0
      ? `Upload ${first} was sent whole and its answer was lost: it may be stored all the same.`
      : `Uploads ${uploads.join(', ')} were sent whole and their answers were lost: they may be stored all the same.`;
  return new CommandError(
    `${error.message} ${doubt} An operator can tell: admin upload show ${others.length === 0 ? first : 'ID'}`,
    error.exitCode,
  );
}

async function put(
  url: URL,
  { source, progress }: UploadJob,
): Promise<{ outcome: PutOutcome; sent: number }> {
  const display = progress();
  let sent = 0;
  try {
    const outcome = await putSource(url, source, (bytes) => {
      sent = bytes;
      display.update(bytes);
    });
    return { outcome, sent };
  } finally {
    display.finish();
  }
}

type Stored = Extract<PutOutcome, { readonly answer: Answer }>;
type Interrupted = Extract<PutOutcome, { readonly interrupted: string }>;

/** Decides whether the bytes are stored, another attempt is worth it, or neither. */
function judge(outcome: PutOutcome, sent: number): Attempt<Stored> {
  if ('interrupted' in outcome) return { retry: interruption(outcome, sent) };
  const { answer } = outcome;
  if (answer.status >= 200 && answer.status < 300) return { done: outcome };
  const code = xmlText(answer, 'Code') ?? 'without a code';
  if (hasExpired(answer, code)) return { retry: 'The upload URL has expired.' };
  if (isPassing(answer.status, code)) {
    return { retry: `The storage answered ${answer.status} ${code}.`, ...retryAfter(answer) };
  }
  throw refusal(answer, code);
}

function interruption({ interrupted, whole }: Interrupted, sent: number): string {
  if (whole)
    return `The connection broke (${interrupted}) after the last byte, before the storage answered; it may have stored them.`;
  return `The connection broke (${interrupted}) after ${formatBytes(sent)}; nothing of it was stored.`;
}

/** The URL's own time, or that of the credentials that signed it. */
function hasExpired(answer: Answer, code: string): boolean {
  const { status } = answer;
  return (
    (status === 403 && answer.body.includes('Request has expired')) ||
    (status === 400 && code === 'ExpiredToken')
  );
}

/** S3's answers to what passes by itself: https://docs.aws.amazon.com/AmazonS3/latest/API/ErrorResponses.html */
function isPassing(status: number, code: string): boolean {
  return (
    status === 429 || status >= 500 || code === 'RequestTimeout' || code === 'ConditionalRequestConflict'
  );
}

function refusal(answer: Answer, code: string): CommandError {
  if (answer.status === 412) {
    return new CommandError(
      'The upload URL was used already, or an operator has cancelled it. This attempt stored nothing.',
      uploadExitCodes.conflict,
    );
  }
  const message = xmlText(answer, 'Message') ?? '';
  return new CommandError(
    `The storage refused the file with ${answer.status} ${code}. ${message}`.trim(),
    code === 'EntityTooLarge' ? uploadExitCodes.tooLarge : undefined,
  );
}

/** One element of S3's error document. Only named ones are shown: others repeat parts of the signed request. */
function xmlText({ body }: Answer, element: 'Code' | 'Message'): string | undefined {
  const text = new RegExp(`<${element}>([^<]{1,300})</${element}>`).exec(body)?.[1];
  return text === undefined ? undefined : printable(text);
}

/** The object key ends in the upload id (UUIDv7), by which operators know the upload. */
function uploadIdOf(url: URL): { readonly upload_id?: string } {
  const last = url.pathname.split('/').at(-1) ?? '';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(last) ? { upload_id: last } : {};
}

/** An upload for a sentence. The signature of its URL is in the query alone. */
function nameOf(url: URL): string {
  return uploadIdOf(url).upload_id ?? printable(url.pathname);
}

/**
 * The ETag is the MD5 of the bytes unless a key of KMS encrypts them
 * (https://docs.aws.amazon.com/AmazonS3/latest/API/API_Object.html).
 */
function compare(md5: string, { headers }: Answer): { readonly etag?: string; readonly verified: boolean } {
  const etag = headers.etag?.replaceAll('"', '');
  const encryption = String(headers['x-amz-server-side-encryption'] ?? 'AES256');
  if (etag === undefined) return { verified: false };
  if (encryption !== 'AES256' || !/^[0-9a-f]{32}$/.test(etag)) return { etag, verified: false };
  if (etag === md5) return { etag, verified: true };
  throw new CommandError(
    `The storage has bytes with MD5 ${etag}, and those that were sent have ${md5}: they were damaged on the way. Upload the file again.`,
  );
}
