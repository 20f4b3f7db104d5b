import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import * as v from 'valibot';
import { createBucket, readFirstVersion } from '../recording/bucket.ts';
import { createTables } from '../recording/tables.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createRetryCounter } from '../shared/aws-retries.ts';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { createLog, describeError, withoutDetail } from '../shared/log.ts';
import { createAnnounce } from '../upload-events/announce.ts';
import { createDueUploads } from './due-uploads.ts';
import { type RunSummary, reconcile } from './reconcile.ts';

const environment = readEnvironment([
  'filesTableName',
  'uploadsTableName',
  'bucketName',
  'eventBusName',
  'uploadRecordRetentionDays',
  'metricsNamespace',
]);
const clientConfig = awsClientConfig();
const retries = createRetryCounter();
const log = createLog({
  metrics: {
    namespace: environment.metricsNamespace,
    functionName: 'reconcile-uploads',
    takeRetries: retries.take,
  },
});

const dynamodb = retries.watch(new DynamoDBClient(clientConfig));
const s3 = retries.watch(
  new S3Client({
    ...clientConfig,
    // A tombstone is empty, so it needs no checksum.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    // With an S3 that is not AWS's, the bucket name goes into the path.
    forcePathStyle: clientConfig.endpoint !== undefined,
  }),
);

const dependencies = {
  tables: createTables(dynamodb, {
    files: environment.filesTableName,
    uploads: environment.uploadsTableName,
    uploadRecordRetentionDays: parseRetentionDays(environment.uploadRecordRetentionDays),
  }),
  bucket: createBucket(s3, environment.bucketName),
  due: createDueUploads(dynamodb, environment.uploadsTableName),
  readFirstVersion: (objectKey: string) => readFirstVersion(s3, environment.bucketName, objectKey),
  announce: createAnnounce(retries.watch(new EventBridgeClient(clientConfig)), environment),
  log,
};

/** The part of a scheduled event that we read (EventBridge User Guide, "Scheduled events"). */
const scheduledEvent = v.object({ time: v.pipe(v.string(), v.isoTimestamp()) });

/** The part of Lambda's context that is used here. */
interface Context {
  readonly getRemainingTimeInMillis: () => number;
}

/** What the last upload of a run may take: some calls that AWS answers late. */
const reserveMilliseconds = 30_000;

/** Invoked every few minutes, for the time of the schedule, and by `upload reconcile`, which prints the summary. */
export async function handler(event: unknown, context: Context): Promise<RunSummary> {
  try {
    const { success, output } = v.safeParse(scheduledEvent, event);
    const now = success ? new Date(output.time) : new Date();
    const hasTime = () => context.getRemainingTimeInMillis() > reserveMilliseconds;
    return await reconcile({ ...dependencies, now: () => now, hasTime });
  } catch (error) {
    log('ERROR', 'reconcileFailed', describeError(error), { ReconciliationsFailed: 1 });
    throw withoutDetail(error);
  }
}
