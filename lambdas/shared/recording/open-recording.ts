import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { EventBridgeClient } from '@aws-sdk/client-eventbridge';
import { S3Client } from '@aws-sdk/client-s3';
import { awsClientConfig } from '../aws-clients.ts';
import { readEnvironment } from '../environment.ts';
import { createLog } from '../log/log.ts';
import { createAnnounce } from './announce.ts';
import { createBucket } from './bucket.ts';
import { createTables } from './recording-tables.ts';

/**
 * What a function needs to record uploads: its environment, its clients of AWS, and all of `RecordDependencies` but the
 * clock.
 *
 * @throws {Error} naming a variable that is missing
 */
export function openRecording() {
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
    // With an S3 that is not AWS's, the bucket name goes into the path.
    forcePathStyle: clientConfig.endpoint !== undefined,
  });
  const log = createLog({ metricsNamespace: environment.metricsNamespace });
  return {
    environment,
    dynamodb,
    s3,
    recording: {
      tables: createTables(dynamodb, { files, uploads }),
      bucket: createBucket(s3, bucketName),
      announce: createAnnounce(new EventBridgeClient(clientConfig), environment),
      log,
    },
  };
}
