import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { createBatchReader } from './batch-reader.ts';
import { createDueObjects } from './bucket.ts';
import { createDueUploads } from './due-uploads.ts';
import { type RunSummary, reconcile } from './reconcile.ts';

/** The looks that begin together come this close to their calls. */
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

/** The part of Lambda's context that is used here. */
interface Context {
  readonly getRemainingTimeInMillis: () => number;
}

/** Time for the last upload of a run, even if AWS answers some calls late. */
const reserveMilliseconds = 30_000;

/**
 * Invoked every few minutes, and by `upload reconcile`, which prints the summary. The event is not read: a time in the
 * event could end upload URLs that still work.
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
