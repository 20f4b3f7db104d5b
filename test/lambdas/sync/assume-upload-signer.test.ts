import type { STSClient } from '@aws-sdk/client-sts';
import { createAssumeUploadSigner } from '../../../lambdas/sync/assume-upload-signer.ts';
import { fakeClient } from '../support/fake-client.ts';

const Credentials = { AccessKeyId: 'id', SecretAccessKey: 'key', SessionToken: 'token' };

function assuming(response: object, partition = 'aws') {
  const { client, inputs } = fakeClient<STSClient>(response);
  const roleArn = `arn:${partition}:iam::000000000000:role/signer`;
  return { assume: createAssumeUploadSigner(client, { roleArn, bucketName: 'bucket' }), inputs };
}

describe('signer credentials', () => {
  test.for(['aws', 'aws-cn'])('may put one object of each upload, in %s', async (partition) => {
    const { assume, inputs } = assuming({ Credentials }, partition);
    const credentials = { accessKeyId: 'id', secretAccessKey: 'key', sessionToken: 'token' };
    expect(await assume('upload-1', 'uploads/upload-1')).toEqual(credentials);
    await assume('upload-2', 'uploads/upload-2');

    const sessionFor = (RoleSessionName: string) => {
      const Resource = `arn:${partition}:s3:::bucket/uploads/${RoleSessionName}`;
      const Statement = [{ Effect: 'Allow', Action: 's3:PutObject', Resource }];
      return {
        RoleArn: `arn:${partition}:iam::000000000000:role/signer`,
        RoleSessionName,
        DurationSeconds: 3600,
        Policy: JSON.stringify({ Version: '2012-10-17', Statement }),
      };
    };
    expect(inputs).toEqual(['upload-1', 'upload-2'].map(sessionFor));
  });

  test('are for the addresses of the client, in a policy of at most 2,048 characters', async () => {
    const { assume, inputs } = assuming({ Credentials });
    const ranges = Array.from({ length: 8 }, () => `${'ffff:'.repeat(8)}/128`);
    await assume('upload-1', `uploads/${'u'.repeat(36)}`, ranges);
    const { Policy = '' } = inputs[0] as { readonly Policy?: string };
    const Condition = { IpAddress: { 'aws:SourceIp': ranges } };
    expect(JSON.parse(Policy)).toMatchObject({ Statement: [{ Effect: 'Allow', Condition }] });
    expect(Policy.length).toBeLessThan(2048);
  });

  test('that are missing are rejected', async () => {
    await expect(assuming({}).assume('u', 'uploads/u')).rejects.toThrow('AssumeRole gave no credentials');
  });

  test.for(Object.keys(Credentials))('without %s are rejected', async (name) => {
    const { assume } = assuming({ Credentials: { ...Credentials, [name]: '' } });
    await expect(assume('u', 'uploads/u')).rejects.toThrow('AssumeRole gave no credentials');
  });
});
