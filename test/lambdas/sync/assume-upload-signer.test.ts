import type { AssumeRoleCommandInput, STSClient } from '@aws-sdk/client-sts';
import { describe, expect, test } from 'vitest';
import { createAssumeUploadSigner } from '../../../lambdas/sync/assume-upload-signer.ts';

const options = { roleArn: 'arn:aws:iam::000000000000:role/signer', bucketName: 'bucket' };

/** The one method of the client that is used. */
function sts(answer: object) {
  const inputs: AssumeRoleCommandInput[] = [];
  const send = async ({ input }: { input: AssumeRoleCommandInput }) => {
    inputs.push(input);
    return answer;
  };
  return { client: { send } as Pick<STSClient, 'send'> as STSClient, inputs };
}

const Credentials = { AccessKeyId: 'id', SecretAccessKey: 'key', SessionToken: 'token' };

describe('signer credentials', () => {
  test('are made for one upload: they may put its object and nothing else', async () => {
    const { client, inputs } = sts({ Credentials });
    const assume = createAssumeUploadSigner(client, options);
    expect(await assume('upload-1', 'uploads/upload-1')).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'key',
      sessionToken: 'token',
    });
    expect(inputs).toHaveLength(1);
    expect(inputs[0]).toMatchObject({
      RoleArn: options.roleArn,
      RoleSessionName: 'upload-1',
      DurationSeconds: 3600,
    });
    expect(JSON.parse(inputs[0]?.Policy ?? '')).toEqual({
      Version: '2012-10-17',
      Statement: [
        { Effect: 'Allow', Action: 's3:PutObject', Resource: 'arn:aws:s3:::bucket/uploads/upload-1' },
      ],
    });
  });

  test('name the object in the partition of the role', async () => {
    const { client, inputs } = sts({ Credentials });
    const roleArn = 'arn:aws-cn:iam::000000000000:role/signer';
    await createAssumeUploadSigner(client, { ...options, roleArn })('u', 'uploads/u');
    expect(inputs[0]?.Policy).toContain('"arn:aws-cn:s3:::bucket/uploads/u"');
  });

  test('that are incomplete are refused', async () => {
    const incomplete = Object.keys(Credentials).map((name) => ({
      Credentials: { ...Credentials, [name]: '' },
    }));
    for (const answer of [{}, ...incomplete]) {
      const assume = createAssumeUploadSigner(sts(answer).client, options);
      await expect(assume('u', 'uploads/u')).rejects.toThrow('AssumeRole gave no credentials');
    }
  });
});
