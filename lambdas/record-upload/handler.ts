import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { createBucket } from '../recording/bucket.ts';
import { recordObject } from '../recording/record-object.ts';
import { createTables } from '../recording/tables.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { createRetryCounter } from '../shared/aws-retries.ts';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { createLog, describeError, withoutDetail } from '../shared/log.ts';
import { createAnnounce } from '../upload-events/announce.ts';
import { readObjectEvent } from './object-event.ts';

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
    functionName: 'record-upload',
    takeRetries: retries.take,
  },
});

const s3 = new S3Client({
  ...clientConfig,
  // A tombstone is empty, so it needs no checksum.
  requestChecksumCalculation: 'WHEN_REQUIRED',
  // With an S3 that is not AWS's, the bucket name goes into the path.
  forcePathStyle: clientConfig.endpoint !== undefined,
});

const dependencies = {
  tables: createTables(retries.watch(new DynamoDBClient(clientConfig)), {
    files: environment.filesTableName,
    uploads: environment.uploadsTableName,
    uploadRecordRetentionDays: parseRetentionDays(environment.uploadRecordRetentionDays),
  }),
  bucket: createBucket(retries.watch(s3), environment.bucketName),
  announce: createAnnounce(retries.watch(new EventBridgeClient(clientConfig)), environment),
  now: () => new Date(),
  log,
};

/** Invoked for every object that is created in the bucket (EventBridge, "Object Created"). */
export async function handler(event: unknown): Promise<void> {
  try {
    await recordObject(readObjectEvent(event), dependencies);
  } catch (error) {
    log('ERROR', 'recordFailed', describeError(error));
    throw withoutDetail(error);
  }
}
