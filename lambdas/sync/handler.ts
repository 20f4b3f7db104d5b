import { randomBytes } from 'node:crypto';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { STSClient } from '@aws-sdk/client-sts';
import { uploadUrlLifetimeSeconds } from '../../contract/limits.ts';
import { routes } from '../../contract/routes.ts';
import { createUuidV7 } from '../../storage/uuid-v7.ts';
import { awsClientConfig } from '../shared/aws-clients.ts';
import { parseRetentionDays, readEnvironment } from '../shared/environment.ts';
import { createApiDependencies } from '../shared/http/api-dependencies.ts';
import { createApiHandler } from '../shared/http/api-endpoint.ts';
import { serveRoutes } from '../shared/http/serve-routes.ts';
import { createAssumeUploadSigner } from './assume-upload-signer.ts';
import { createReadFileAccess, createRecordIssued } from './file-and-upload-tables.ts';
import { createPresign } from './presign.ts';
import { createSyncEndpoint } from './sync-endpoint.ts';

const environment = readEnvironment([
  'baseUrl',
  'keySetSecretArn',
  'filesTableName',
  'uploadsTableName',
  'bucketName',
  'bucketHost',
  'uploadSignerRoleArn',
  'uploadRecordRetentionDays',
  'metricsNamespace',
]);
const clientConfig = awsClientConfig();
const api = createApiDependencies(environment, clientConfig);
const dynamodb = new DynamoDBClient(clientConfig);
const { bucketName, bucketHost, uploadSignerRoleArn: roleArn } = environment;

const endpoint = createSyncEndpoint({
  readFileAccess: createReadFileAccess(dynamodb, environment.filesTableName),
  now: Date.now,
  newUploadId: createUuidV7(Date.now, randomBytes),
  assumeUploadSigner: createAssumeUploadSigner(new STSClient(clientConfig), { roleArn, bucketName }),
  presign: createPresign({
    bucketName,
    bucketHost,
    lifetimeSeconds: uploadUrlLifetimeSeconds,
    region: clientConfig.region,
    endpoint: process.env.AWS_ENDPOINT_URL,
  }),
  recordIssued: createRecordIssued(
    dynamodb,
    environment.uploadsTableName,
    parseRetentionDays(environment.uploadRecordRetentionDays),
  ),
  lifetimeSeconds: uploadUrlLifetimeSeconds,
  log: api.log,
});

export const handler = serveRoutes<'sync'>(
  { sync: createApiHandler(routes.sync.scope, endpoint, api) },
  api.log,
);
