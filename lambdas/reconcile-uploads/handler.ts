import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { createBatchReader } from './batch-reader.ts';
import { createDueObjects } from './bucket.ts';
import { createDueUploads } from './due-uploads.ts';
import { type RunSummary, reconcile } from './reconcile.ts';

/**
 * Milliseconds to gather inputs into a batch: checks that start at the same time reach their calls within
 * this time.
 */
const gatheringMilliseconds = 10;

const { environment, dynamodb, s3, recording } = openRecording(
  () => sleep(gatheringMilliseconds),
  createBatchReader,
);
const { uploadRecordRetentionDays } = readEnvironment(['uploadRecordRetentionDays']);
const dependencies = {
  ...recording,
  due: createDueUploads(
    dynamodb,
    environment.uploadsTableName,
    parseRetentionDays(uploadRecordRetentionDays),
  ),
  objects: createDueObjects(s3, environment.bucketName),
};

/** The members of Lambda's context that are used here. */
interface Context {
  readonly getRemainingTimeInMillis: () => number;
}

/** Time reserved for the last upload of a run, in case AWS is slow. */
const reserveMilliseconds = 30_000;

/**
 * Invoked every few minutes, and by `upload reconcile`, which prints the summary. The event is not read: a
 * time in the event could end upload URLs that are still valid.
 */
export async function handler(_event: unknown, context: Context): Promise<RunSummary> {
  try {
    const now = new Date();
    const hasTime = () => context.getRemainingTimeInMillis() > reserveMilliseconds;
    return await reconcile({ ...dependencies, now: () => now, hasTime, random: Math.random });
  } catch (error) {
    recording.log('ERROR', 'reconcileFailed', describeError(error), { ReconciliationsFailed: 1 });
    throw withoutDetail(error);
  }
}
