import { timestamp } from '../../storage/attributes.ts';
import type { Upload } from '../../storage/upload.ts';
import {
  type DueShard,
  deletionShards,
  nextAnnouncementAt,
  nextCheckAt,
  uploadShards,
} from '../../storage/upload-due.ts';
import { describeError } from '../shared/log/log.ts';
import { NotAnnouncedError } from '../shared/recording/announce.ts';
import type { DueUpload } from './due-uploads.ts';
import { checkExpectedFiles, type ExpectedDependencies } from './expected-files.ts';
import {
  isDue,
  type ReconcileDependencies,
  type ReconcileOutcome,
  reconcileUpload,
  recordMissing,
} from './reconcile-upload.ts';

interface RunDependencies extends ReconcileDependencies, ExpectedDependencies {
  /** Random number from 0 up to 1, like `Math.random`. */
  readonly random: () => number;
}

/** Number of due uploads of a run, by outcome. */
export type RunSummary = Readonly<Counts> & {
  /** True if the run left uploads for the next run. */
  readonly unfinished: boolean;
};

/**
 * Number of uploads of a partition that a run checks concurrently. It keeps the function's processor busy
 * while calls wait. If a check takes 70 ms, the eight partitions of deletions complete 1,100 checks a second.
 */
const maxConcurrentChecks = 10;

/**
 * Number of uploads of a partition that a run samples, at a random place of the newest page, so that unused URLs
 * cannot hide all others.
 */
const sampleSize = 4;

/**
 * Checks due uploads, and then watched files, until the time is over. Reads the oldest page first. The partitions of
 * one kind are processed at the same time. A failed upload is checked again in an hour, or in minutes if its event
 * was not accepted, and does not stop the others.
 *
 * Also checks a sample of the uploads that are not due yet. If one of them is stored and its event is missing,
 * the run checks all of them, after every due upload.
 *
 * @throws {Error} if the uploads cannot be read from DynamoDB
 */
export async function reconcile(dependencies: RunDependencies): Promise<RunSummary> {
  const { due, now, log } = dependencies;
  const at = timestamp(now());
  const counts = startCounts();
  const checkAll = (
    pages: readonly AsyncIterable<readonly DueUpload[]>[],
    check = reconcileUpload,
    limit?: number,
  ) =>
    forEachFound(pages, (found) => checkOrPostpone(found, check, dependencies), counts, dependencies, limit);
  const dueIn = (shards: readonly DueShard[]) => shards.map((shard) => due.list(shard, at));
  const unrecorded = () => uploadShards.map((shard) => due.listUnrecorded(shard, at));
  const left = await checkAll(dueIn(uploadShards));
  const recordedDue = counts.recorded;
  await checkAll(unrecorded(), recordMissing, sampleSize);
  const isEventMissing = counts.recorded > recordedDue;
  // A recorded upload may be the content that a file waits for.
  await checkExpectedFiles(dependencies);
  // A run that is short of time announces uploads first: deletions can wait.
  left.push(...(await checkAll(dueIn(deletionShards))));
  if (isEventMissing) {
    left.push(...(await checkAll(unrecorded(), recordMissing)));
  }
  const summary = { ...counts, unfinished: left.length > 0 };
  const oldest = Math.max(...left.map(({ due_at }) => (now().getTime() - Date.parse(due_at)) / 1000));
  // CloudWatch charges for a metric only in hours with a value. An upload that is not due yet has no age.
  log('INFO', 'reconciliationDone', summary, oldest >= 0 ? { DueUploadsAge: oldest } : undefined);
  return summary;
}

/** Checks uploads that an operator named. */
export async function checkNamed(
  uploadIds: readonly string[],
  check: (upload: Upload, dependencies: RunDependencies) => Promise<ReconcileOutcome>,
  dependencies: RunDependencies,
): Promise<RunSummary> {
  const { tables, log } = dependencies;
  const counts = startCounts();
  const checkId = async (uploadId: string) => {
    const upload = await tables.readUpload(uploadId);
    return upload === undefined ? 'unchanged' : check(upload, dependencies);
  };
  const left = await forEachFound([[uploadIds]], checkId, counts, dependencies);
  const summary = { ...counts, unfinished: left.length > 0 };
  log('INFO', 'reconciliationDone', summary);
  return summary;
}

type Counts = Record<ReconcileOutcome | 'failed', number>;

function startCounts(): Counts {
  return { recorded: 0, announced: 0, expired: 0, deleted: 0, done: 0, unchanged: 0, failed: 0 };
}

/**
 * Checks the pages of partitions at the same time, and counts the outcomes.
 *
 * @param limit number of uploads to check in a partition, all from its first page. Default: all
 * @returns the rest of the pages that were read when the time was over; empty: all were checked
 */
async function forEachFound<Found>(
  partitions: readonly (AsyncIterable<readonly Found[]> | Iterable<readonly Found[]>)[],
  check: (found: Found) => Promise<keyof Counts>,
  counts: Counts,
  { hasTime, random }: RunDependencies,
  limit?: number,
): Promise<Found[]> {
  const left = partitions.map(async (pages) => {
    for await (const listed of pages) {
      // Each run starts at a random upload, so that concurrent runs share the work of a page.
      const first = Math.floor(random() * listed.length);
      const page = [...listed.slice(first), ...listed.slice(0, first)].slice(0, limit);
      for (let start = 0; start < page.length; start += maxConcurrentChecks) {
        if (!hasTime()) {
          return page.slice(start);
        }
        const some = page.slice(start, start + maxConcurrentChecks);
        for (const outcome of await Promise.all(some.map(check))) {
          counts[outcome] += 1;
        }
      }
      if (limit !== undefined) {
        break;
      }
    }
    return [];
  });
  return (await Promise.all(left)).flat();
}

async function checkOrPostpone(
  found: DueUpload,
  check: typeof reconcileUpload,
  dependencies: RunDependencies,
): Promise<ReconcileOutcome | 'failed'> {
  const { tables, now, log } = dependencies;
  try {
    return await check(found, dependencies);
  } catch (error) {
    // If DynamoDB fails too, the upload stays due, and the next run finds it. An upload that is not due yet keeps
    // its time.
    const next = error instanceof NotAnnouncedError ? nextAnnouncementAt(now()) : nextCheckAt(now());
    const isMine = !isDue(found, dependencies) || (await tables.postpone(found, next).catch(() => true));
    if (!isMine) {
      // Another run checked the upload meanwhile, so no step is left here.
      return 'unchanged';
    }
    const { upload_id } = found;
    log('ERROR', 'reconcileFailed', { upload_id, ...describeError(error) }, { ReconciliationsFailed: 1 });
    return 'failed';
  }
}
