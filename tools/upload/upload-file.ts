import { printable } from '../operator/text.ts';
import type { Progress } from '../terminal/progress.ts';
import { type Journal, requestIdIn } from './journal.ts';
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
  readonly journal: Journal;
}

/** The result of an upload, as `--json` prints it. */
export interface UploadResult extends Verification {
  readonly file_id: string;
  /** Absent when the path of the upload URL does not end in an upload id. */
  readonly upload_id: string | undefined;
  /** The request that the upload URL was issued to. Absent if the answer does not name it. */
  readonly request_id: string | undefined;
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
 * @throws {CommandError} with the exit code of the reason. The journal has each upload that may be stored anyway
 */
export function uploadFile(job: UploadJob): Promise<UploadResult> {
  const startedAt = performance.now();
  return retry(job.policy, (attempts) => attemptUpload(job, attempts, startedAt));
}

async function attemptUpload(
  job: UploadJob,
  attempts: number,
  startedAt: number,
): Promise<Attempt<UploadResult>> {
  const url = await job.requestUploadUrl(job.fileId);
  const stored = judgeOutcome(await put(url, job));
  if (!('done' in stored)) {
    return stored;
  }
  const { md5, answer } = stored.done;
  return {
    done: {
      file_id: job.fileId,
      upload_id: uploadIdOf(url),
      request_id: job.journal.requestId,
      size: job.source.size,
      md5,
      ...compareEtag(md5, answer),
      attempts,
      seconds: Math.round(performance.now() - startedAt) / 1000,
    },
  };
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

async function put(url: URL, { source, progress, journal }: UploadJob): Promise<PutOutcome> {
  const display = progress();
  const upload = nameOf(url);
  try {
    const outcome = await putSource(url, source, (sent) => {
      journal.put = { upload, sent, size: source.size };
      display.update(sent);
    });
    if ('answer' in outcome) {
      journal.storageRequestId = requestIdIn(outcome.answer.headers, 'x-amz-request-id');
    } else if (outcome.sentWhole) {
      journal.unanswered.push(upload);
    }
    return outcome;
  } finally {
    journal.put = undefined;
    display.finish();
  }
}
