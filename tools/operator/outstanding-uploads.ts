import { maximumUploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { timestamp } from '../../storage/attributes.ts';
import { tryToCancel } from './cancel-upload.ts';
import { explainAwsError } from './deployment/aws-errors.ts';
import type { Deployment } from './deployment/deployment.ts';
import { messageOf } from './errors.ts';
import { type File, setSyncEnabled } from './files.ts';
import type { Pages } from './pages.ts';
import { listUploads, type Upload } from './uploads.ts';

/** Upload URLs of a file through which bytes may still arrive. */
export interface Outstanding {
  /** URLs that still work. */
  readonly outstanding: number;
  /** When the last of them expires. */
  readonly until?: string;
  /** URLs that expired unused within the last 24 hours: a PUT that began in time may still be under way. */
  readonly recently_expired: number;
}

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

/** Counts the upload URLs of a file through which bytes may still arrive. */
export async function countOutstanding(
  deployment: Deployment,
  fileId: string,
  now: number,
): Promise<Outstanding> {
  let outstanding = 0;
  let recentlyExpired = 0;
  let until = '';
  for await (const page of outstandingUploads(deployment, fileId, now)) {
    for (const { state, expires_at } of page) {
      if (state === 'issued') {
        outstanding += 1;
        until = expires_at > until ? expires_at : until;
      } else {
        recentlyExpired += 1;
      }
    }
  }
  return { outstanding, ...(until !== '' && { until }), recently_expired: recentlyExpired };
}

/** Lists them page by page. Only uploads of about the last 25 hours are read, however many the file has. */
async function* outstandingUploads(deployment: Deployment, fileId: string, now: number): Pages<Upload> {
  const since = timestamp(new Date(now - maximumUploadUrlLifetimeSeconds * 1000 - longestPutMilliseconds));
  for await (const page of listUploads(deployment, { fileId, since })) {
    yield page.filter((upload) => upload.state === 'issued' || mayBeUnderWay(upload, now));
  }
}

/** An upload that could not be cancelled, and why. */
export interface NotCancelled {
  readonly upload_id: string;
  /** `finished`: its bytes arrived first. `failed`: its URL may still work. */
  readonly outcome: 'finished' | 'failed';
  readonly reason: string;
}

/** What became of the outstanding URLs. */
export interface CancelReport {
  readonly cancelled: number;
  readonly rest: readonly NotCancelled[];
  /** Whether so many failed in a row that the others were not tried. */
  readonly stopped: boolean;
}

export interface CancelAllOptions {
  /** When syncing was disabled, in milliseconds since the epoch. */
  readonly disabledAt: number;
  /** Called after each group of uploads with the number that was looked at so far. */
  readonly progress: (done: number) => void;
  /** Called before a wait. */
  readonly waiting: (milliseconds: number) => void;
  readonly sleep: (milliseconds: number) => Promise<unknown>;
  /** Milliseconds since the epoch. */
  readonly now: () => number;
}

/**
 * A sync request that read the file before syncing was disabled can record its URL until its function is stopped, 10 s
 * later. The index that lists uploads is up to date about a second after that.
 */
const lastIssueMilliseconds = 12_000;

/** So many uploads are cancelled at the same time. Each takes four short calls. */
const groupSize = 8;

/** After so many failures in a row the others would fail too: AWS is down, or denies the calls. */
const maximumFailuresInRow = 24;

/**
 * Cancels every outstanding upload of a file whose syncing is disabled. What is outstanding now is cancelled first. When
 * requests that began before can issue no more URLs, the list is read again, and what they issued is cancelled too.
 * Cancelling again is safe after a crash or a failure at any point.
 */
export async function cancelOutstanding(
  deployment: Deployment,
  fileId: string,
  options: CancelAllOptions,
): Promise<CancelReport> {
  const run: Run = { cancelled: 0, done: 0, failuresInRow: 0, rest: new Map() };
  await cancelListed(deployment, fileId, run, options);
  const left = Math.min(options.disabledAt + lastIssueMilliseconds - options.now(), lastIssueMilliseconds);
  if (left > 0 && !hasStopped(run)) {
    options.waiting(left);
    await options.sleep(left);
  }
  await cancelListed(deployment, fileId, run, options);
  return { cancelled: run.cancelled, rest: [...run.rest.values()], stopped: hasStopped(run) };
}

/** Disables syncing for a file, and then cancels every outstanding upload of it. */
export async function disableAndCancel(
  deployment: Deployment,
  fileId: string,
  options: Omit<CancelAllOptions, 'disabledAt'> & {
    /** Called when syncing is disabled, before the first upload is cancelled. */
    readonly disabled: () => void;
  },
): Promise<CancelReport & { readonly file: File }> {
  const { file } = await setSyncEnabled(deployment, fileId, false);
  options.disabled();
  // Nothing else but a change of the name moves this time, and that only makes the wait longer.
  const disabledAt = Date.parse(file.updated_at);
  return { file, ...(await cancelOutstanding(deployment, fileId, { ...options, disabledAt })) };
}

/** The state of one run. */
interface Run {
  cancelled: number;
  done: number;
  failuresInRow: number;
  /** By id, because the second list can have the same uploads. */
  readonly rest: Map<string, NotCancelled>;
}

function hasStopped({ failuresInRow }: Run): boolean {
  return failuresInRow >= maximumFailuresInRow;
}

async function cancelListed(
  deployment: Deployment,
  fileId: string,
  run: Run,
  { now, progress }: CancelAllOptions,
): Promise<void> {
  for await (const page of outstandingUploads(deployment, fileId, now())) {
    for (let start = 0; start < page.length; start += groupSize) {
      if (hasStopped(run)) {
        return;
      }
      const group = page.slice(start, start + groupSize).filter((upload) => isOpen(upload, run));
      const results = await Promise.all(group.map(({ upload_id }) => cancelOne(deployment, upload_id)));
      for (const result of results) {
        count(result, run);
      }
      run.done += group.length;
      progress(run.done);
    }
  }
}

/** The second list has those again whose bytes have arrived and are not recorded yet. */
function isOpen({ upload_id }: Upload, { rest }: Run): boolean {
  return rest.get(upload_id)?.outcome !== 'finished';
}

type Result = NotCancelled | { readonly upload_id: string; readonly outcome: 'cancelled' | 'before' };

function count(result: Result, run: Run): void {
  run.failuresInRow = result.outcome === 'failed' ? run.failuresInRow + 1 : 0;
  run.rest.delete(result.upload_id);
  if ('reason' in result) {
    run.rest.set(result.upload_id, result);
  } else if (result.outcome === 'cancelled') {
    run.cancelled += 1;
  }
}

async function cancelOne(deployment: Deployment, upload_id: string): Promise<Result> {
  try {
    const { outcome, upload } = await tryToCancel(deployment, upload_id);
    if (outcome === 'cancelled') {
      return { upload_id, outcome };
    }
    if (outcome === 'busy') {
      return { upload_id, outcome: 'failed', reason: 'an upload to its URL is in progress' };
    }
    // The index can be behind the table, and show what was cancelled a moment ago as issued.
    return upload.state === 'cancelled'
      ? { upload_id, outcome: 'before' }
      : { upload_id, outcome: 'finished', reason: 'its content arrived before it could be cancelled' };
  } catch (error) {
    return { upload_id, outcome: 'failed', reason: messageOf(explainAwsError(error)) };
  }
}
