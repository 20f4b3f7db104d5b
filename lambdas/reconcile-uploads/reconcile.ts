import { timestamp } from '../../storage/attributes.ts';
import { deletionShards, nextTryAt, soonAt, uploadShards } from '../../storage/upload-due.ts';
import { describeError } from '../shared/log/log.ts';
import { NotAnnounced } from '../shared/recording/announce.ts';
import type { DueShard, DueUpload } from './due-uploads.ts';
import { type ReconcileDependencies, type ReconcileOutcome, reconcileUpload } from './reconcile-upload.ts';

export interface RunDependencies extends ReconcileDependencies {
  /** Whether the run has time for another upload. */
  readonly hasTime: () => boolean;
  /** From 0 up to 1, as `Math.random`. */
  readonly random: () => number;
}

/** How many due uploads a run found, by what became of them. */
export type RunSummary = Readonly<Record<ReconcileOutcome | 'failed', number>> & {
  /** Whether something that is due was left for the next run. */
  readonly unfinished: boolean;
};

/**
 * How many uploads of a partition a run looks at together: enough to use the function's processor while calls wait.
 * If a look takes 70 ms, the eight partitions of deletions get through 1,100 looks a second.
 */
const maxConcurrentChecks = 10;

/**
 * Looks at every upload that is due, the page with the oldest first, for as long as there is time. The partitions of one
 * kind are worked through at the same time. An upload that fails is looked at again in an hour, or in minutes if its
 * event was not taken, and stops no other.
 *
 * @throws {Error} when DynamoDB cannot say what is due
 */
export async function reconcile(dependencies: RunDependencies): Promise<RunSummary> {
  const counts = { recorded: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0 };
  const count = (outcome: keyof typeof counts) => {
    counts[outcome] += 1;
  };
  const work = (shards: readonly DueShard[]) =>
    Promise.all(shards.map((shard) => reconcileShard(shard, count, dependencies)));
  // A run that is short of time announces first: content to delete can wait.
  const ages = [...(await work(uploadShards)), ...(await work(deletionShards))].flat();
  const summary = { ...counts, unfinished: ages.length > 0 };
  // A metric costs something only in hours with a value.
  const lag = summary.unfinished ? { DueUploadsAge: Math.max(...ages) } : undefined;
  dependencies.log('INFO', 'reconciliationDone', summary, lag);
  return summary;
}

/** @returns how many seconds uploads of a page have been due that are left for the next run; empty: none is left */
async function reconcileShard(
  shard: DueShard,
  count: (outcome: ReconcileOutcome | 'failed') => void,
  dependencies: RunDependencies,
): Promise<readonly number[]> {
  const { due, now, hasTime, random } = dependencies;
  for await (const listed of due.list(shard, timestamp(now()))) {
    // Each run begins at another upload, so that runs at the same time share the work of a page.
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
    const next = error instanceof NotAnnounced ? soonAt(now()) : nextTryAt(now());
    const isMine = await tables.postpone(found, next).catch(() => true);
    if (!isMine) {
      // Another run has looked at the upload meanwhile, so nothing is left to do here.
      return 'unchanged';
    }
    const { upload_id } = found;
    log('ERROR', 'reconcileFailed', { upload_id, ...describeError(error) }, { ReconciliationsFailed: 1 });
    return 'failed';
  }
}
