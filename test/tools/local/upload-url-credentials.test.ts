import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { STSClient } from '@aws-sdk/client-sts';
import { loadTemplate, resourceTypes } from 'cloud-assembly-emulator';
import { clientFor, prepareRuns, stack } from 'cloud-assembly-emulator/test/aws-services';
import { describe, expect, test } from 'vitest';
import { createAssumeUploadSigner } from '../../../lambdas/sync/assume-upload-signer.ts';
import { synthesized } from '../../support/synthesized.ts';

/** The credentials that sign an upload URL, under the roles and policies of the template that is deployed. */

const { resources } = loadTemplate(synthesized().document, resourceTypes, stack);
const aws = await (await prepareRuns(resources)).start();

/** The one resource of a type whose logical id begins so. */
const only = (start: string, type: string) =>
  resources.find((it) => it.type === type && it.logicalId.startsWith(start)) ?? expect.fail(start);

const Bucket = only('UploadsBucket', 'AWS::S3::Bucket').ref;
const TableName = only('FilesTable', 'AWS::DynamoDB::Table').ref;
const SecretId = only('SigningKeyKeySet', 'AWS::SecretsManager::Secret').ref;
const { Arn: syncRole = '' } = only('SyncRole', 'AWS::IAM::Role').attributes;
const { Arn: roleArn = '' } = only('SyncSignerRole', 'AWS::IAM::Role').attributes;
const { sessionToken = '', ...keys } = aws.credentialsForRole(syncRole, 'sync');
const sts = new STSClient(clientFor(aws, { ...keys, sessionToken }));
const assume = createAssumeUploadSigner(sts, { roleArn, bucketName: Bucket });

const Key = 'uploads/mine';
const config = clientFor(aws, await assume('mine', Key));
const s3 = new S3Client({ ...config, forcePathStyle: true });
const put = (changes: { readonly Key?: string; readonly Tagging?: string } = {}) =>
  s3.send(new PutObjectCommand({ Bucket, Key, Body: 'x', ContentLength: 1, ...changes }));

describe('the credentials that sign an upload URL', () => {
  test('may put its key', async () => {
    await expect(put()).resolves.toBeDefined();
  });

  test.for<[string, () => Promise<unknown>]>([
    ['put another key', () => put({ Key: 'uploads/other' })],
    ['put a longer key', () => put({ Key: `${Key}/x` })],
    ['put it with tags', () => put({ Tagging: 'tombstone=cancelled' })],
    ['get it', () => s3.send(new GetObjectCommand({ Bucket, Key }))],
    ['delete it', () => s3.send(new DeleteObjectCommand({ Bucket, Key }))],
    [
      'read a table',
      () => new DynamoDBClient(config).send(new GetItemCommand({ TableName, Key: { file_id: { S: 'f' } } })),
    ],
    ['read a secret', () => new SecretsManagerClient(config).send(new GetSecretValueCommand({ SecretId }))],
  ])('may not %s', async ([, attempt]) => {
    await expect(attempt()).rejects.toMatchObject({ name: expect.stringMatching(/^AccessDenied/) });
  });
});
