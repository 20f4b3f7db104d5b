import { HeadObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { allow, bucketWith, clientFor, functionRole, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { uploadUrl } from '../support/presigned.ts';

const bucket = 'test-bucket';
const resources = [
  bucketWith(),
  ...functionRole('Reader', allow('s3:GetObjectVersion', `arn:aws:s3:::${bucket}/uploads/*`)),
  ...functionRole('Lister', allow(['s3:GetObjectVersionTagging', 's3:ListBucket'], '*')),
];
const ofSomething = '1BGd19PD4OU=';

let aws: AwsServices;
let s3: S3Client;

async function start(): Promise<void> {
  aws = await runs.start();
  // Without this, the SDK would send a checksum of its own with each PUT, and verify that of each GET.
  s3 = new S3Client({
    ...clientFor(aws),
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
  });
}

const runs = await prepareRuns(resources);
await start();

const at = (Key: string) => ({ Bucket: bucket, Key });

async function putByUrl(key: string, body: string | Buffer) {
  const url = await uploadUrl({ endpoint: aws.endpoint, bucket, key, credentials: aws.operatorCredentials });
  const { headers } = await fetch(url, { method: 'PUT', body });
  return {
    value: headers.get('x-amz-checksum-crc64nvme') ?? '',
    VersionId: headers.get('x-amz-version-id') ?? '',
  };
}

const checksumOf = async (key: string) =>
  (await s3.send(new HeadObjectCommand({ ...at(key), ChecksumMode: 'ENABLED' }))).ChecksumCRC64NVME;

it('the checksum of content in many pieces is there after a restart', async () => {
  const Body = Buffer.alloc(3_000_001, 'file sync ');
  const { value } = await putByUrl('uploads/2', Body);
  await s3.send(new PutObjectCommand({ ...at('uploads/signed'), Body }));
  await aws.close();
  await start();
  expect(value).toMatch(/^[A-Za-z0-9+/]{11}=$/);
  expect([await checksumOf('uploads/2'), await checksumOf('uploads/signed')]).toEqual([value, value]);
});

it('the head of a version needs the permission to read the version, and none for its tags or its list', async () => {
  const { VersionId } = await putByUrl('uploads/3', 'something');
  const command = new HeadObjectCommand({ ...at('uploads/3'), VersionId, ChecksumMode: 'ENABLED' });
  expect((await clients(aws, 'Reader').s3.send(command)).ChecksumCRC64NVME).toBe(ofSomething);
  await expect(clients(aws, 'Lister').s3.send(command)).rejects.toMatchObject({
    $metadata: { httpStatusCode: 403 },
  });
});
