import { uploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { timestamp } from '../../storage/attributes.ts';
import { tryToCancel } from './cancel-upload.ts';
import { explainAwsError } from './deployment/aws-errors.ts';
import type { Deployment } from './deployment/deployment.ts';
import { messageOf, OperationError } from './errors.ts';
import { type File, setSyncEnabled } from './files.ts';
import type { Pages } from './lists.ts';
import { counted, quoted } from './text.ts';
import { listUploads, type Upload, type UploadSelection } from './uploads.ts';

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
  /** URLs that still work. */
  readonly outstanding: number;
  /** When the last of them expires. */
  readonly until?: string;
  /** URLs that expired unused within the last 24 hours: a PUT that began in time may still be under way. */
  readonly recently_expired: number;
}

/** Counts them. */
export async function countOutstanding(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<Outstanding> {
  const ends: string[] = [];
  let recentlyExpired = 0;
  for await (const page of openUploads(deployment, { fileId }, now)) {
    const issued = page.filter(({ state }) => state === 'issued');
    ends.push(...issued.map(({ expires_at }) => expires_at));
    recentlyExpired += page.length - issued.length;
  }
  const until = ends.sort().at(-1);
  return { outstanding: ends.length, ...(until && { until }), recently_expired: recentlyExpired };
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

/** An upload that could not be closed or deleted, and why. */
export interface FailedUpload {
  readonly upload_id: string;
  readonly reason: string;
}

/** What became of the uploads. */
export interface WorkReport {
  /** Uploads that were looked at without a failure. */
  readonly uploads: number;
  /** URLs that were closed. */
  readonly cancelled: number;
  /** Uploads whose bytes arrived before their URL could be closed. */
  readonly finished: number;
  readonly failed: readonly FailedUpload[];
  /** Whether so many failed in a row that the others were not tried. */
  readonly stopped: boolean;
}

/** So many uploads are worked on at the same time. Each takes one to five short calls. */
const groupSize = 8;

/** After so many failures in a row the others would fail too: AWS is down, or denies the calls. */
const maximumFailuresInRow = 24;

type Outcome = 'cancelled' | 'finished' | 'other';

/** Works on uploads, one group after the other. A failure of one does not stop the others. */
export async function forEachUpload(
  pages: Pages<Upload>,
  progress: (done: number) => void,
  act: (upload: Upload) => Promise<Outcome>,
): Promise<WorkReport> {
  const counts = { cancelled: 0, finished: 0, other: 0 };
  const failed: FailedUpload[] = [];
  let failuresInRow = 0;
  const attempt = async (upload: Upload) => {
    try {
      counts[await act(upload)] += 1;
      failuresInRow = 0;
    } catch (error) {
      failed.push({ upload_id: upload.upload_id, reason: messageOf(explainAwsError(error)) });
      failuresInRow += 1;
    }
  };
  const report = (stopped: boolean): WorkReport => {
    const { cancelled, finished, other } = counts;
    return { uploads: cancelled + finished + other, cancelled, finished, failed, stopped };
  };
  for await (const page of pages) {
    for (let start = 0; start < page.length; start += groupSize) {
      await Promise.all(page.slice(start, start + groupSize).map(attempt));
      progress(report(false).uploads + failed.length);
      if (failuresInRow >= maximumFailuresInRow) {
        return report(true);
      }
    }
  }
  return report(false);
}

/**
 * Closes the URL of an upload.
 *
 * @throws {OperationError} while a PUT to it is in progress
 */
export async function closeUpload(deployment: Deployment, { upload_id }: Upload): Promise<Outcome> {
  const { outcome, upload } = await tryToCancel(deployment, upload_id);
  if (outcome === 'cancelled') {
    return outcome;
  }
  // Somebody else may have cancelled it a moment ago.
  return upload.state === 'cancelled' ? 'other' : 'finished';
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

/**
 * Disables syncing for a file, and then closes every outstanding upload URL of it: first those of now, and then those that
 * requests issued that had begun before. It can be repeated after a crash or a failure at any point.
 *
 * @param options `disabled` is called before the first URL is closed
 */
export async function disableAndCancel(
  deployment: Deployment,
  fileId: string,
  options: WorkOptions & { readonly disabled: () => void },
): Promise<WorkReport & { readonly file: File }> {
  const { file } = await setSyncEnabled(deployment, fileId, false);
  options.disabled();
  const finished = new Set<string>();
  const closeAll = () => {
    const open = openUploads(deployment, { fileId }, options.now());
    return forEachUpload(open, options.progress, async (upload) => {
      const outcome = await closeUpload(deployment, upload);
      if (outcome === 'finished') {
        finished.add(upload.upload_id);
      }
      return outcome;
    });
  };
  const first = await closeAll();
  if (first.stopped) {
    return { file, ...first };
  }
  // Nothing else but a change of the name moves this time, and that only makes the wait longer.
  await waitForLastIssue(file.updated_at, options);
  // It has those again that failed before.
  const second = await closeAll();
  const cancelled = first.cancelled + second.cancelled;
  return { file, ...second, cancelled, finished: finished.size };
}

/** The upload URLs through which bytes may still arrive: one sentence for each kind. */
export function describeOutstanding({
  outstanding,
  until,
  recently_expired: expired,
}: Outstanding): readonly string[] {
  const stillWork = outstanding === 1 ? 'is outstanding and still works' : 'are outstanding and still work';
  return [
    outstanding > 0
      ? `${counted(outstanding, 'upload URL')} ${stillWork} until ${until} at the latest.`
      : 'No upload URL of this file is outstanding.',
    ...(expired > 0
      ? [
          `${counted(expired, 'upload URL')} expired unused in the last 24 hours. ` +
            'A PUT that began in time may still be under way, and its content would be taken.',
        ]
      : []),
  ];
}

/** What disabling and closing will do. */
export function describeCancelAll(fileId: string, { outstanding, recently_expired }: Outstanding): string {
  const expired =
    recently_expired > 0 ? ` and ${recently_expired} that expired unused in the last 24 hours` : '';
  return `This disables syncing for ${quoted(fileId)} and cancels ${counted(outstanding, 'outstanding upload URL')}${expired}.`;
}

/** What became of them. */
export function describeCancelReport({ cancelled, finished, failed }: WorkReport): string {
  return `${counted(cancelled, 'upload URL')} cancelled, ${finished} finished before, ${failed.length} failed.`;
}

/** @throws {OperationError} when URLs may still work */
export function requireAllCancelled(fileId: string, { failed, stopped }: WorkReport): void {
  if (failed.length > 0) {
    throw new OperationError(
      'failed',
      `${counted(failed.length, 'upload URL')} could not be cancelled and may still work. ` +
        `${stopped ? 'The others were not tried. ' : ''}Fix the cause, and cancel them again.`,
      { do: 'cancel uploads', fileId },
    );
  }
}
