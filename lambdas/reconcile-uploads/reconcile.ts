import { timestamp } from '../../storage/attributes.ts';
import { deletionShards, nextAnnouncementAt, nextCheckAt, uploadShards } from '../../storage/upload-due.ts';
import { describeError } from '../shared/log/log.ts';
import { NotAnnouncedError } from '../shared/recording/announce.ts';
import type { DueShard, DueUpload } from './due-uploads.ts';
import { type ReconcileDependencies, type ReconcileOutcome, reconcileUpload } from './reconcile-upload.ts';

export interface RunDependencies extends ReconcileDependencies {
  /** Returns true if the run can start another upload. */
  readonly hasTime: () => boolean;
  /** Random number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/** Number of due uploads of a run, by outcome. */
export type RunSummary = Readonly<Record<ReconcileOutcome | 'failed', number>> & {
  /** True if the run left due uploads for the next run. */
  readonly unfinished: boolean;
};

/**
 * Number of uploads of a partition that a run checks concurrently. It keeps the function's processor busy
 * while calls wait. If a check takes 70 ms, the eight partitions of deletions complete 1,100 checks a second.
 */
const maxConcurrentChecks = 10;

/**
 * Checks the due uploads, the page with the oldest first, until the time is over. The partitions of one kind
 * are processed at the same time. A failed upload is checked again in an hour, or in minutes if its event was
 * not accepted, and does not stop the others.
 *
 * @throws {Error} if the due uploads cannot be read from DynamoDB
 */
export async function reconcile(dependencies: RunDependencies): Promise<RunSummary> {
  const counts = { recorded: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0 };
  const count = (outcome: keyof typeof counts) => {
    counts[outcome] += 1;
  };
  const work = (shards: readonly DueShard[]) =>
    Promise.all(shards.map((shard) => reconcileShard(shard, count, dependencies)));
  // A run that is short of time announces uploads first: deletions can wait.
  const ages = [...(await work(uploadShards)), ...(await work(deletionShards))].flat();
  const summary = { ...counts, unfinished: ages.length > 0 };
  // CloudWatch charges for a metric only in hours with a value.
  const lag = summary.unfinished ? { DueUploadsAge: Math.max(...ages) } : undefined;
  dependencies.log('INFO', 'reconciliationDone', summary, lag);
  return summary;
}

/**
 * @returns ages, in seconds, of due uploads of a page that are left for the next run; empty: all were checked
 */
async function reconcileShard(
  shard: DueShard,
  count: (outcome: ReconcileOutcome | 'failed') => void,
  dependencies: RunDependencies,
): Promise<readonly number[]> {
  const { due, now, hasTime, random } = dependencies;
  for await (const listed of due.list(shard, timestamp(now()))) {
    // Each run starts at a random upload, so that concurrent runs share the work of a page.
    const first = Math.floor(random() * listed.length);
    const page = [...listed.slice(first), ...listed.slice(0, first)];
    for (let start = 0; start < page.length; start += maxConcurrentChecks) {
      if (!hasTime()) {
        return page.slice(start).map(({ due_at }) => (now().getTime() - Date.parse(due_at)) / 1000);
      }
      const some = page.slice(start, start + maxConcurrentChecks);
      const checks = some.map((one) => reconcileOrPostpone(one, dependencies));
      for (const outcome of await Promise.all(checks)) {
        count(outcome);
      }
    }
  }
  return [];
}

async function reconcileOrPostpone(
  found: DueUpload,
  dependencies: RunDependencies,
): Promise<ReconcileOutcome | 'failed'> {
  const { tables, now, log } = dependencies;
  try {
    return await reconcileUpload(found, dependencies);
  } catch (error) {
    // If DynamoDB fails too, the upload stays due, and the next run finds it.
    const next = error instanceof NotAnnouncedError ? nextAnnouncementAt(now()) : nextCheckAt(now());
    const isMine = await tables.postpone(found, next).catch(() => true);
    if (!isMine) {
      // Another run checked the upload meanwhile, so no step is left here.
      return 'unchanged';
    }
    const { upload_id } = found;
    log('ERROR', 'reconcileFailed', { upload_id, ...describeError(error) }, { ReconciliationsFailed: 1 });
    return 'failed';
  }
}
