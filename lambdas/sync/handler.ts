import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { STSClient } from '@aws-sdk/client-sts';
import { createApiDependencies } from '../shared/api-dependencies.ts';
import { createApiHandler } from '../shared/api-endpoint.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { readEnvironment } from '../shared/environment.ts';
import { createUuidV7 } from '../shared/uuid-v7.ts';
import { createAssumeSigner } from './assume-signer.ts';
import { createPresign } from './presign.ts';
import { createReadFile } from './read-file.ts';
import { createRecordUpload } from './record-upload.ts';
import { createSyncEndpoint } from './sync-file.ts';

const environment = readEnvironment([
  'baseUrl',
  'keySetSecretArn',
  'filesTableName',
  'uploadsTableName',
  'bucketName',
  'uploadUrlLifetimeSeconds',
  'uploadSignerRoleArn',
]);
const clientConfig = awsClientConfig();
const dynamodb = new DynamoDBClient(clientConfig);
const lifetimeSeconds = Number(environment.uploadUrlLifetimeSeconds);
const signer = {
  roleArn: environment.uploadSignerRoleArn,
  bucketName: environment.bucketName,
  lifetimeSeconds,
};

const endpoint = createSyncEndpoint({
  readFile: createReadFile(dynamodb, environment.filesTableName),
  now: Date.now,
  newUploadId: createUuidV7(Date.now, randomBytes),
  assumeSigner: createAssumeSigner(new STSClient(clientConfig), signer),
  presign: createPresign({ ...signer, region: clientConfig.region, endpoint: process.env.AWS_ENDPOINT_URL }),
  recordUpload: createRecordUpload(dynamodb, environment.uploadsTableName),
  lifetimeSeconds,
});

/** `POST /v0/files/{fileId}/sync`. */
export const handler = createApiHandler(endpoint, createApiDependencies(environment, clientConfig));
