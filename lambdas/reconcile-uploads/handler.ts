import { setTimeout as sleep } from 'node:timers/promises';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { announceAgain } from './announce-again.ts';
import { createBatchReader } from './batch-reader.ts';
import { createDueObjects } from './bucket.ts';
import { createDueUploads } from './due-uploads.ts';
import { readOperatorRequest } from './operator-request.ts';
import { type RunSummary, reconcile, reconcileNamed } from './reconcile.ts';

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
  now: () => new Date(),
  random: Math.random,
};

/** The members of Lambda's context that are used here. */
interface Context {
  readonly getRemainingTimeInMillis: () => number;
}

/** Time reserved for the last upload of a run, in case AWS is slow. */
const reserveMilliseconds = 30_000;

/**
 * Invoked every few minutes, and by the operator's commands `upload reconcile` and `upload announce`, which
 * print the summary.
 */
export async function handler(
  event: unknown,
  context: Context,
): Promise<RunSummary | { readonly announced: number }> {
  try {
    const hasTime = () => context.getRemainingTimeInMillis() > reserveMilliseconds;
    const request = readOperatorRequest(event);
    switch (request?.action) {
      case undefined:
        return await reconcile({ ...dependencies, hasTime });
      case 'record':
        return await reconcileNamed(request.uploads, { ...dependencies, hasTime });
      case 'announce':
        return await announceAgain(request, dependencies);
    }
  } catch (error) {
    recording.log('ERROR', 'reconcileFailed', describeError(error), { ReconciliationsFailed: 1 });
    throw withoutDetail(error);
  }
}
