import { uploadUrlLifetimeSeconds } from '../../../contract/limits.ts';
import { timestamp } from '../../../storage/attributes.ts';
import { explainAwsError } from '../deployment/aws-errors.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { messageOf, OperationError } from '../errors.ts';
import { type File, setSyncEnabled } from '../files/file.ts';
import type { Pages } from '../lists/list.ts';
import { counted, quoted } from '../text.ts';
import { tryToCancel } from './cancel.ts';
import { listUploads, type Upload, type UploadSelection } from './upload.ts';

// Work on many uploads of a file or a client: closing the URLs through which bytes may still arrive.

/** The largest upload takes this long at 62 KB/s. S3 itself sets no limit to the length of a PUT that makes progress. */
export const longestPutMilliseconds = 24 * 3_600_000;

/** Whether the URL has expired unused so lately that a PUT may still be under way. */
export function mayBeUnderWay({ state, expires_at }: Upload, now: number): boolean {
  return state === 'expired' && Date.parse(expires_at) > now - longestPutMilliseconds;
}

/** What to know of such an upload. */
export const underWayNote =
  'Nobody used the URL in time, as far as is recorded. A PUT that began before it expired may still be under way, and ' +
  'is recorded when it ends.';

/** Whether bytes may still arrive through the URL of an upload. */
export function isOpen(upload: Upload, now: number): boolean {
  return upload.state === 'issued' || mayBeUnderWay(upload, now);
}

/** The uploads through which bytes may still arrive. Only those of about the last 25 hours are read. */
export async function* openUploads(
  deployment: Deployment,
  selection: UploadSelection,
  now: number,
): Pages<Upload> {
  const since = timestamp(new Date(now - uploadUrlLifetimeSeconds * 1000 - longestPutMilliseconds));
  for await (const page of listUploads(deployment, { ...selection, since })) {
    yield page.filter((upload) => isOpen(upload, now));
  }
}

/** Upload URLs of a file through which bytes may still arrive. */
export interface Outstanding {
  readonly outstanding: number;
  /** When the last of them expires. Absent without any. */
  readonly until?: string;
}

/** Counts them. */
export async function countOutstanding(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<Outstanding> {
  const ends: string[] = [];
  for await (const page of openUploads(deployment, { fileId }, now)) {
    ends.push(...page.map(({ expires_at }) => expires_at));
  }
  const until = ends.sort().at(-1);
  return { outstanding: ends.length, ...(until && { until }) };
}

/** The upload URLs through which bytes may still arrive, in a sentence. */
export function describeOutstanding({ outstanding, until }: Outstanding): string {
  return outstanding === 0
    ? 'No upload URL of this file is open.'
    : `Bytes may still arrive through ${counted(outstanding, 'upload URL')} until ${until}, and later if a PUT has begun by then.`;
}

/** What work on many uploads needs besides the deployment. */
export interface WorkOptions {
  /** Called with the number of uploads that were looked at so far. */
  readonly progress: (done: number) => void;
  /** Called before a wait. */
  readonly waiting: (milliseconds: number) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/** What became of the uploads. */
export interface WorkReport {
  /** Uploads that were looked at. */
  readonly uploads: number;
  /** URLs that were closed. */
  readonly cancelled: number;
}

/** So many uploads are worked on at the same time. Each takes one to five short calls. */
const groupSize = 8;

/**
 * Works on uploads, one group after the other. A failure of one does not stop the others.
 *
 * @param act tells whether it closed a URL
 * @throws {OperationError} at the end, when one failed
 */
export async function forEachUpload(
  pages: Pages<Upload>,
  progress: (done: number) => void,
  act: (upload: Upload) => Promise<boolean>,
): Promise<WorkReport> {
  const failures: string[] = [];
  let [uploads, cancelled] = [0, 0];
  const attempt = async (upload: Upload) => {
    try {
      const isClosed = await act(upload);
      cancelled += isClosed ? 1 : 0;
    } catch (error) {
      failures.push(`${upload.upload_id} failed: ${messageOf(explainAwsError(error))}`);
    }
  };
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += groupSize) {
      const group = page.slice(start, start + groupSize);
      await Promise.all(group.map(attempt));
      uploads += group.length;
      progress(uploads);
    }
  }
  if (failures.length > 0) {
    throw new OperationError(
      'failed',
      `${counted(failures.length, 'upload')} of ${uploads} could not be ended, and their URLs may still work. ` +
        `${failures[0]} Fix the cause, and do this again: that is safe.`,
    );
  }
  return { uploads, cancelled };
}

/**
 * Closes the URL of an upload, unless it was used or closed before.
 *
 * @throws {OperationError} while a PUT to it is in progress
 */
export async function closeUpload(deployment: Deployment, { upload_id }: Upload): Promise<boolean> {
  return (await tryToCancel(deployment, upload_id)).outcome === 'cancelled';
}

/**
 * A sync request that read the file before its change can record its URL until its function is stopped, 10 s later. The
 * index that lists uploads is up to date about a second after that.
 */
const lastIssueMilliseconds = 12_000;

/** Waits until no sync request that began before a change of a file can issue a URL. @param changedAt ISO 8601 */
export async function waitForLastIssue(
  changedAt: string,
  { waiting, sleep, now }: WorkOptions,
): Promise<void> {
  const left = Math.min(Date.parse(changedAt) + lastIssueMilliseconds - now(), lastIssueMilliseconds);
  if (left > 0) {
    waiting(left);
    await sleep(left);
  }
}

/** What {@link disableAndCancel} will do, in a sentence that people confirm. */
export function describeCancelAll(fileId: string, { outstanding }: Outstanding): string {
  return `This disables syncing for ${quoted(fileId)} and closes ${counted(outstanding, 'upload URL')} through which bytes may still arrive.`;
}

/**
 * Disables syncing for a file, and then closes every upload URL of it through which bytes may still arrive: first those of
 * now, and then those that requests issued that had begun before. It can be repeated after a crash at any point.
 *
 * @throws {OperationError} when URLs may still work
 */
export async function disableAndCancel(
  deployment: Deployment,
  fileId: string,
  options: WorkOptions,
): Promise<{ readonly file: File; readonly cancelled: number }> {
  const { file } = await setSyncEnabled(deployment, fileId, false);
  const closeAll = () =>
    forEachUpload(openUploads(deployment, { fileId }, options.now()), options.progress, (upload) =>
      closeUpload(deployment, upload),
    );
  const first = await closeAll();
  // Nothing else but a change of the name moves this time, and that only makes the wait longer.
  await waitForLastIssue(file.updated_at, options);
  const second = await closeAll();
  return { file, cancelled: first.cancelled + second.cancelled };
}
