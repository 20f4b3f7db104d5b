import { setTimeout as sleep } from 'node:timers/promises';
import * as v from 'valibot';
import { uuidV7Pattern } from '../../storage/uuid-v7.ts';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { describeError, withoutDetail } from '../shared/log/log.ts';
import { openRecording } from '../shared/recording/open-recording.ts';
import { createBatchReader } from './batch-reader.ts';
import { createDueObjects } from './bucket.ts';
import { createDueUploads } from './due-uploads.ts';
import { createExpectedFiles } from './expected-files.ts';
import { checkNamed, type RunSummary, reconcile } from './reconcile.ts';
import { announceAgain, recordStored } from './reconcile-upload.ts';

/**
 * Milliseconds to gather inputs into a batch: checks that start at the same time reach their calls within
 * this time.
 */
const gatheringMilliseconds = 10;

const gather = () => sleep(gatheringMilliseconds);
const { environment, dynamodb, s3, sendEvent, recording } = openRecording(gather, createBatchReader);
const { uploadRecordRetentionDays } = readEnvironment(['uploadRecordRetentionDays']);
const dependencies = {
  ...recording,
  due: createDueUploads(
    dynamodb,
    environment.uploadsTableName,
    parseRetentionDays(uploadRecordRetentionDays),
  ),
  objects: createDueObjects(s3, environment.bucketName),
  sendEvent,
  // A reader of its own, because it reads whole files.
  expected: createExpectedFiles(dynamodb, environment.filesTableName, createBatchReader(dynamodb, gather)),
};

/** The members of Lambda's context that are used here. */
interface Context {
  readonly getRemainingTimeInMillis: () => number;
}

/** Time reserved for the last upload of a run, in case AWS is slow. */
const reserveMilliseconds = 30_000;

/**
 * Event of an invocation. An operator can name uploads to record or to announce again. No time is read from
 * the event, because a later time would end upload URLs that are still valid.
 */
const eventSchema = v.object({
  uploads: v.optional(v.pipe(v.array(v.pipe(v.string(), v.regex(uuidV7Pattern))), v.maxLength(100))),
  announce: v.optional(v.boolean(), false),
});

/** Reconciles uploads every few minutes, and for `upload reconcile` and `upload announce`, which print the summary. */
export async function handler(event: unknown, context: Context): Promise<RunSummary> {
  try {
    const now = new Date();
    const hasTime = () => context.getRemainingTimeInMillis() > reserveMilliseconds;
    const run = { ...dependencies, now: () => now, hasTime, random: Math.random };
    const { uploads, announce } = v.parse(eventSchema, event);
    return await (uploads === undefined
      ? reconcile(run)
      : checkNamed(uploads, announce ? announceAgain : recordStored, run));
  } catch (error) {
    recording.log('ERROR', 'reconcileFailed', describeError(error), { ReconciliationsFailed: 1 });
    throw withoutDetail(error);
  }
}
