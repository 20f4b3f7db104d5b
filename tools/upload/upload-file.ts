import { printable } from '../operator/text.ts';
import { CommandError } from '../terminal/errors.ts';
import type { Progress } from '../terminal/progress.ts';
import { type PutOutcome, putSource } from './put-source.ts';
import { type Attempt, type RetryPolicy, retry } from './retry.ts';
import type { RequestUploadUrl } from './service-api.ts';
import type { Source } from './source.ts';
import { compareEtag, judgeOutcome, type Verification } from './storage-answer.ts';

interface UploadJob {
  readonly requestUploadUrl: RequestUploadUrl;
  readonly fileId: string;
  readonly source: Source;
  readonly policy: RetryPolicy;
  /** Makes the progress display of one attempt. */
  readonly progress: () => Progress;
}

/** The result of an upload, as `--json` prints it. */
export interface UploadResult extends Verification {
  readonly file_id: string;
  /** Absent when the path of the upload URL does not end in an upload id. */
  readonly upload_id: string | undefined;
  /** Bytes. */
  readonly size: number;
  /** MD5 of the bytes sent, lower-case hex. */
  readonly md5: string;
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Uploads the source into the file. Each attempt requests a new upload URL: an interrupted attempt may have used up
 * its URL, and the client cannot find out.
 *
 * @throws {CommandError} with the exit code of the reason, and with the id of every upload that may be stored anyway
 */
export async function uploadFile(job: UploadJob): Promise<UploadResult> {
  const startedAt = performance.now();
  const unanswered: string[] = [];
  try {
    return await retry(job.policy, (attempts) => attemptUpload(job, attempts, startedAt, unanswered));
  } catch (error) {
    throw withUnanswered(error, unanswered);
  }
}

/** @param unanswered gets the id of an upload whose bytes were all sent and whose answer was lost */
async function attemptUpload(
  job: UploadJob,
  attempts: number,
  startedAt: number,
  unanswered: string[],
): Promise<Attempt<UploadResult>> {
  const url = await job.requestUploadUrl(job.fileId);
  const { outcome, sent } = await put(url, job);
  if ('interrupted' in outcome && outcome.sentWhole) {
    unanswered.push(nameOf(url));
  }
  const stored = judgeOutcome(outcome, sent);
  if (!('done' in stored)) {
    return stored;
  }
  const { md5, answer } = stored.done;
  return {
    done: {
      file_id: job.fileId,
      upload_id: uploadIdOf(url),
      size: job.source.size,
      md5,
      ...compareEtag(md5, answer),
      attempts,
      seconds: Math.round(performance.now() - startedAt) / 1000,
    },
  };
}

/** Adds the uploads that may be stored although the command failed. */
function withUnanswered(error: unknown, uploads: readonly string[]): unknown {
  if (uploads.length === 0 || !(error instanceof CommandError)) {
    return error;
  }
  return new CommandError(
    `${error.message} An upload was sent completely, but its answer was lost, so it may be stored anyway: upload ` +
      `${uploads.join(' and ')}. An operator can check with upload show.`,
    error.exitCode,
  );
}

/** The object key ends in the upload id, a UUIDv7. Operators find the upload by this id. */
function uploadIdOf({ pathname }: URL): string | undefined {
  const last = pathname.split('/').at(-1) ?? '';
  return /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/.test(last) ? last : undefined;
}

/** The upload id or the path of the URL. The path is safe to show: the signature is in the query. */
function nameOf(url: URL): string {
  return uploadIdOf(url) ?? printable(url.pathname);
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
