import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { awsClientConfig } from '../aws-clients.ts';
import { readEnvironment } from '../environment.ts';
import { createLog } from '../log/log.ts';
import { createAnnounce, createSendEvent } from './announce.ts';
import { createBucket } from './bucket.ts';
import { createTables, type ReadItem } from './recording-tables.ts';

/**
 * Creates the dependencies for recording uploads: the environment, the AWS clients, and all of
 * `RecordDependencies` except the clock.
 *
 * @param gather function that waits for more events, which then share a call
 * @param createRead function that creates the reads of the tables
 * @throws {Error} naming a missing variable
 */
export function openRecording(
  gather: () => Promise<unknown>,
  createRead: (dynamodb: DynamoDBClient, gather: () => Promise<unknown>) => ReadItem,
) {
  const environment = readEnvironment([
    'filesTableName',
    'uploadsTableName',
    'bucketName',
    'eventBusName',
    'metricsNamespace',
  ]);
  const { bucketName, filesTableName: files, uploadsTableName: uploads } = environment;
  const clientConfig = awsClientConfig();
  const dynamodb = new DynamoDBClient(clientConfig);
  const s3 = new S3Client({
    ...clientConfig,
    // For an S3 outside AWS, the bucket name is part of the path.
    forcePathStyle: clientConfig.endpoint !== undefined,
  });
  // On average, the last attempt follows after four seconds. Then the reconciliation announces the upload.
  const eventBridge = new EventBridgeClient({ ...clientConfig, maxAttempts: 5 });
  const sendEvent = createSendEvent(eventBridge, environment.eventBusName, gather);
  const log = createLog({ metricsNamespace: environment.metricsNamespace });
  return {
    environment,
    dynamodb,
    s3,
    sendEvent,
    recording: {
      tables: createTables(dynamodb, { files, uploads }, createRead(dynamodb, gather)),
      bucket: createBucket(s3, bucketName),
      announce: createAnnounce(sendEvent, bucketName),
      log,
    },
  };
}
