import type { STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { createAssumeUploadSigner } from '../../../lambdas/sync/assume-upload-signer.ts';
import { fakeClient } from '../support/fake-client.ts';

const options = { roleArn: 'arn:aws:iam::000000000000:role/signer', bucketName: 'bucket' };

const Credentials = { AccessKeyId: 'id', SecretAccessKey: 'key', SessionToken: 'token' };

describe('signer credentials', () => {
  test('are made for one upload: they may put its object and nothing else', async () => {
    for (const partition of ['aws', 'aws-cn']) {
      const roleArn = `arn:${partition}:iam::000000000000:role/signer`;
      const { client, inputs } = fakeClient<STSClient>({ Credentials });
      const assume = createAssumeUploadSigner(client, { ...options, roleArn });
      const credentials = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' };
      expect(await assume('upload-1', 'uploads/upload-1')).toEqual(credentials);
      const Resource = `arn:${partition}:s3:::bucket/uploads/upload-1`;
      const Statement = [{ Effect: 'Allow', Action: 's3:PutObject', Resource }];
      expect(inputs).toEqual([
        {
          RoleArn: roleArn,
          RoleSessionName: 'upload-1',
          DurationSeconds: 3600,
          Policy: JSON.stringify({ Version: '2012-10-17', Statement }),
        },
      ]);
    }
  });

  test('that are incomplete are refused', async () => {
    const incomplete = Object.keys(Credentials).map((name) => ({
      Credentials: { ...Credentials, [name]: '' },
    }));
    for (const answer of [{}, ...incomplete]) {
      const assume = createAssumeUploadSigner(fakeClient<STSClient>(answer).client, options);
      await expect(assume('u', 'uploads/u')).rejects.toThrow('AssumeRole gave no credentials');
    }
  });
});
