import { S3Client } from '@aws-sdk/client-s3';
import { STSClient } from '@aws-sdk/client-sts';
import {
  clientFor,
  functionRole,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
  stack,
} from 'cloud-assembly-emulator/test/aws-services';
import { createAssumeUploadSigner } from '../../lambdas/sync/assume-upload-signer.ts';
import { createPresign } from '../../lambdas/sync/presign.ts';
import { listKeys } from './list-keys.ts';

const bucketName = 'test-bucket';
const lifetimeSeconds = 3600;

/** The roles as the stack has them: `sync` may assume the signer, and the signer may put objects. */
const resources = [
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }),
  ...functionRole('Sync', { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: roleArnOf('Signer') }),
  resource('Signer', 'AWS::IAM::Role', {
    AssumeRolePolicyDocument: policy({
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS: roleArnOf('Sync') },
    }),
    Policies: [
      {
        PolicyName: 'Put',
        PolicyDocument: policy({
          Effect: 'Allow',
          Action: 's3:PutObject',
          Resource: `arn:aws:s3:::${bucketName}/uploads/*`,
        }),
      },
    ],
  }),
];

/** The local S3 and STS, and the parts of `sync` that call them. */
export async function startStorage(log: (line: string) => void) {
  const runs = await prepareRuns(resources);
  const aws = await runs.start({ log: (line) => log(JSON.stringify(line)) });
  const sts = new STSClient(clientFor(aws, aws.credentialsForRole(roleArnOf('Sync'), 'sync')));
  const s3 = new S3Client({ ...clientFor(aws), forcePathStyle: true });
  const signer = { roleArn: roleArnOf('Signer'), bucketName, lifetimeSeconds };
  return {
    origin: aws.endpoint,
    lifetimeSeconds,
    assumeUploadSigner: createAssumeUploadSigner(sts, signer),
    presign: createPresign({ ...signer, region: stack.region, endpoint: aws.endpoint }),
    storedKeys: () => listKeys(s3, bucketName),
    close: async () => {
      sts.destroy();
      s3.destroy();
      await runs.end();
    },
  };
}
