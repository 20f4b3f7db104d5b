import { timestamp } from '../../storage/attributes.ts';
import { unrecordedRanges } from '../../storage/unrecorded.ts';
import { deletionShards, nextAnnouncementAt, nextCheckAt, uploadShards } from '../../storage/upload-due.ts';
import { describeError } from '../shared/log/log.ts';
import { NotAnnouncedError } from '../shared/recording/announce.ts';
import type { DueShard, DueUpload } from './due-uploads.ts';
import { type ReconcileDependencies, type ReconcileOutcome, reconcileUpload } from './reconcile-upload.ts';
import { recordMissing, recordStored } from './record-stored.ts';

export interface RunDependencies extends ReconcileDependencies {
  /** Returns true if the run can start another upload. */
  readonly hasTime: () => boolean;
  /** Random number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/** Number of due uploads of a run, by outcome. */
export type RunSummary = Readonly<Record<ReconcileOutcome | 'failed', number>> & {
  /** True if the run left uploads for the next run. */
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
 * Also checks a sample of the uploads that are not due yet. If one of them is stored and its event is missing,
 * the run checks all of them, newest first.
 *
 * @throws {Error} if the uploads cannot be read from DynamoDB
 */
export async function reconcile(dependencies: RunDependencies): Promise<RunSummary> {
  const { due, now, random, log } = dependencies;
  const counts = startCounts();
  const dueNow = (shards: readonly DueShard[]) => {
    const pages = shards.map((shard) => due.list(shard, timestamp(now())));
    return checkAll(pages, reconcileUpload, counts, dependencies);
  };
  const late = await dueNow(uploadShards);
  const ranges = unrecordedRanges(now(), random);
  const samples = uploadShards.map(async function* (shard) {
    for (const range of ranges) {
      yield await due.sample(shard, range);
    }
  });
  await checkAll(samples, recordMissing, counts, dependencies);
  const [range] = ranges;
  const suspects = counts.missing > 0 ? uploadShards.map((shard) => due.listUnrecorded(shard, range)) : [];
  const left = await checkAll(suspects, recordMissing, counts, dependencies);
  // A run that is short of time announces uploads first: deletions can wait.
  late.push(...(await dueNow(deletionShards)));
  const summary = { ...counts, unfinished: late.length + left.length > 0 };
  const ages = late.map(({ due_at }) => (now().getTime() - Date.parse(due_at)) / 1000);
  // CloudWatch charges for a metric only in hours with a value.
  log(
    'INFO',
    'reconciliationDone',
    summary,
    ages.length > 0 ? { DueUploadsAge: Math.max(...ages) } : undefined,
  );
  return summary;
}

/** Checks uploads that an operator named: due ones like a run, and others only for an object. */
export async function reconcileNamed(
  uploadIds: readonly string[],
  dependencies: RunDependencies,
): Promise<RunSummary> {
  const { tables, now } = dependencies;
  const uploads = await Promise.all(uploadIds.map(tables.readUpload));
  const named = uploads.flatMap((upload) =>
    upload?.due_at === undefined ? [] : [{ upload_id: upload.upload_id, due_at: upload.due_at }],
  );
  const counts = { ...startCounts(), unchanged: uploadIds.length - named.length };
  const check: Check = async (found) => {
    if (found.due_at <= timestamp(now())) {
      return reconcileUpload(found, dependencies);
    }
    return (await recordStored(found, dependencies)) ? 'recorded' : 'unchanged';
  };
  const left = await checkAll([[named]], check, counts, dependencies);
  return { ...counts, unfinished: left.length > 0 };
}

type Pages = AsyncIterable<readonly DueUpload[]> | Iterable<readonly DueUpload[]>;

/** Checks one upload. Undefined: there was nothing to do, which is not counted. */
type Check = (found: DueUpload, dependencies: ReconcileDependencies) => Promise<ReconcileOutcome | undefined>;

type Counts = Record<ReconcileOutcome | 'failed', number>;

function startCounts(): Counts {
  return { recorded: 0, missing: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0 };
}

/** @returns the uploads that are left for the next run */
async function checkAll(
  partitions: readonly Pages[],
  check: Check,
  counts: Counts,
  dependencies: RunDependencies,
): Promise<DueUpload[]> {
  const checks = partitions.map((pages) => checkPages(pages, check, counts, dependencies));
  return (await Promise.all(checks)).flat();
}

/** @returns the uploads of a page that are left for the next run; empty: all were checked */
async function checkPages(
  pages: Pages,
  check: Check,
  counts: Counts,
  dependencies: RunDependencies,
): Promise<readonly DueUpload[]> {
  const { hasTime, random } = dependencies;
  for await (const listed of pages) {
    // Each run starts at a random upload, so that concurrent runs share the work of a page.
    const first = Math.floor(random() * listed.length);
    const page = [...listed.slice(first), ...listed.slice(0, first)];
    for (let start = 0; start < page.length; start += maxConcurrentChecks) {
      if (!hasTime()) {
        return page.slice(start);
      }
      const some = page.slice(start, start + maxConcurrentChecks);
      const checks = some.map((one) => checkOrPostpone(one, check, dependencies));
      for (const outcome of await Promise.all(checks)) {
        if (outcome !== undefined) {
          counts[outcome] += 1;
        }
      }
    }
  }
  return [];
}

async function checkOrPostpone(
  found: DueUpload,
  check: Check,
  dependencies: RunDependencies,
): Promise<ReconcileOutcome | 'failed' | undefined> {
  const { tables, now, log } = dependencies;
  try {
    return await check(found, dependencies);
  } catch (error) {
    // If DynamoDB fails too, the upload stays due, and the next run finds it. An upload that is not due yet is
    // not postponed: the next run may find it again.
    const next = error instanceof NotAnnouncedError ? nextAnnouncementAt(now()) : nextCheckAt(now());
    const isDue = found.due_at <= timestamp(now());
    const isMine = !isDue || (await tables.postpone(found, next).catch(() => true));
    if (!isMine) {
      // Another run checked the upload meanwhile, so no step is left here.
      return 'unchanged';
    }
    const { upload_id } = found;
    log('ERROR', 'reconcileFailed', { upload_id, ...describeError(error) }, { ReconciliationsFailed: 1 });
    return 'failed';
  }
}
