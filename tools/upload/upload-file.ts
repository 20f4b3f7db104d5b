import { formatBytes, printable } from '../operator/text.ts';
import type { Progress } from '../terminal/progress.ts';
import type { Journal } from './journal.ts';
import { type PutOutcome, putSource } from './put-source.ts';
import { type Attempt, type RetryPolicy, retry } from './retry.ts';
import type { RequestUploadUrl } from './service-api.ts';
import type { Source } from './source.ts';
import { compareEtag, judgeOutcome, type Verification } from './storage-response.ts';

interface UploadJob {
  readonly requestUploadUrl: RequestUploadUrl;
  readonly fileId: string;
  readonly source: Source;
  readonly policy: RetryPolicy;
  /** Creates the progress display of one attempt. */
  readonly progress: () => Progress;
  readonly journal: Journal;
}

/** Result of an upload, as printed with `--json`. */
export interface UploadResult extends Verification {
  readonly file_id: string;
  readonly upload_id: string;
  /** Size in bytes. */
  readonly size: number;
  /** MD5 of the bytes sent, lower-case hex. */
  readonly md5: string;
  readonly attempts: number;
  readonly seconds: number;
}

/**
 * Uploads the source into the file. Each attempt requests a new upload URL: an interrupted attempt may have
 * used up its URL, and the client cannot check that.
 *
 * @throws {CommandError} with the exit code of the failure. The journal lists each upload that may be stored
 * anyway
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
  const stored = judgeOutcome(await put(url, job), job.journal);
  if (!('done' in stored)) {
    return stored;
  }
  const { md5, response } = stored.done;
  return {
    done: {
      file_id: job.fileId,
      upload_id: uploadIdOf(url),
      size: job.source.size,
      md5,
      ...compareEtag(md5, response),
      attempts,
      seconds: Math.round(performance.now() - startedAt) / 1000,
    },
  };
}

/** The object key ends with the upload id, which operators use to find the upload. */
function uploadIdOf({ pathname }: URL): string {
  return printable(pathname.split('/').at(-1) ?? '');
}

async function put(url: URL, { source, progress, journal }: UploadJob): Promise<PutOutcome> {
  const display = progress();
  const upload = uploadIdOf(url);
  journal.moment = '';
  try {
    const outcome = await putSource(url, source, (sent) => {
      journal.moment = ` after ${formatBytes(sent)} of ${formatBytes(source.size)} were sent`;
      if (sent === source.size) {
        journal.unfinished.add(upload);
      }
      display.update(sent);
    });
    if ('response' in outcome) {
      journal.unfinished.delete(upload);
      journal.ids = { ...journal.ids, storage_request_id: outcome.response.requestId };
    }
    return outcome;
  } finally {
    display.finish();
  }
}
