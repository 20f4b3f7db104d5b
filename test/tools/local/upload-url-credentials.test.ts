import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { clientFor } from 'cloud-assembly-emulator/test/aws-services';
import { describe, expect, test } from 'vitest';
import type { UploadSignerCredentials } from '../../../lambdas/sync/assume-upload-signer.ts';
import { startStorage } from './upload-storage.ts';

/** Upload URLs as the sync function makes them, under the roles and policies of the template that is deployed. */

const storage = await startStorage();

function clientWith(credentials: UploadSignerCredentials): S3Client {
  return new S3Client({ ...clientFor(storage.aws, credentials), forcePathStyle: true });
}

describe('the credentials that sign an upload URL', () => {
  test('are made for it alone', async () => {
    const issued = await Promise.all(Array.from({ length: 5 }, () => storage.issue()));
    expect(new Set(issued.map(({ credentials }) => credentials.accessKeyId)).size).toBe(5);
    const signers = issued.map(({ url }) => new URL(url).searchParams.get('X-Amz-Credential')?.split('/')[0]);
    expect(signers).toEqual(issued.map(({ credentials }) => credentials.accessKeyId));
    expect(signers).not.toContain(storage.syncCredentials.accessKeyId);
  });

  test('may do nothing but put its key: no other key, no reading, deleting or tagging, no other service', async () => {
    const [mine, other] = [await storage.issue(), await storage.issue()];
    const s3 = clientWith(mine.credentials);
    const { bucket: Bucket } = storage;
    await s3.send(new PutObjectCommand({ Bucket, Key: mine.key, Body: 'x', ContentLength: 1 }));
    const config = clientFor(storage.aws, mine.credentials);
    const [database, secrets] = [new DynamoDBClient(config), new SecretsManagerClient(config)];
    const tagged = { Body: 'x', ContentLength: 1, Tagging: 'tombstone=cancelled' };
    const attempts: Readonly<Record<string, () => Promise<unknown>>> = {
      'put another key': () =>
        s3.send(new PutObjectCommand({ Bucket, Key: other.key, Body: 'x', ContentLength: 1 })),
      'put a longer key': () =>
        s3.send(new PutObjectCommand({ Bucket, Key: `${mine.key}/x`, Body: 'x', ContentLength: 1 })),
      'put it with tags': () => s3.send(new PutObjectCommand({ Bucket, Key: mine.key, ...tagged })),
      get: () => s3.send(new GetObjectCommand({ Bucket, Key: mine.key })),
      delete: () => s3.send(new DeleteObjectCommand({ Bucket, Key: mine.key })),
      'read a table': () =>
        database.send(
          new GetItemCommand({
            TableName: storage.nameOf(/^FilesTable/, 'AWS::DynamoDB::Table'),
            Key: { file_id: { S: 'f' } },
          }),
        ),
      'read a secret': () =>
        secrets.send(
          new GetSecretValueCommand({
            SecretId: storage.nameOf(/^SigningKeyKeySet/, 'AWS::SecretsManager::Secret'),
          }),
        ),
    };
    for (const [what, attempt] of Object.entries(attempts)) {
      await expect(attempt(), what).rejects.toMatchObject({ name: expect.stringMatching(/^AccessDenied/) });
    }
  });
});

test('the function of the sync endpoint may put no object itself', async () => {
  const { key } = await storage.issue();
  const s3 = clientWith(storage.syncCredentials);
  const direct = new PutObjectCommand({ Bucket: storage.bucket, Key: key, Body: 'x', ContentLength: 1 });
  await expect(s3.send(direct)).rejects.toMatchObject({ name: 'AccessDenied' });
});
