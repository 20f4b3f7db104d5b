import {
  GetObjectCommand,
  HeadObjectCommand,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
} from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  prepareRuns,
  resource,
  roleArnOf,
} from '../support/aws-services.ts';
import { uploadUrl } from '../support/presigned.ts';

/** The checksums of S3. Those of texts were recorded from AWS, in LocalStack's `tests/aws/services/s3`. */

const bucket = 'test-bucket';
const resources = [
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }),
  ...functionRole('Reader', {
    Effect: 'Allow',
    Action: 's3:GetObjectVersion',
    Resource: `arn:aws:s3:::${bucket}/uploads/*`,
  }),
  ...functionRole('Lister', {
    Effect: 'Allow',
    Action: ['s3:GetObjectVersionTagging', 's3:ListBucketVersions'],
    Resource: '*',
  }),
];
const ofSomething = '1BGd19PD4OU=';

let runs: AwsRuns;
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

beforeAll(async () => {
  runs = await prepareRuns(resources);
  await start();
});
afterAll(async () => {
  s3?.destroy();
  await runs.end();
});

let counter = 0;
const freshKey = () => {
  counter += 1;
  return `uploads/${counter}`;
};

async function putByUrl(key: string, body: string | Buffer) {
  const url = await uploadUrl({ endpoint: aws.endpoint, bucket, key, credentials: aws.operatorCredentials });
  return fetch(url, { method: 'PUT', body });
}

const checksumOf = (of: { readonly headers: Headers }) => ({
  value: of.headers.get('x-amz-checksum-crc64nvme'),
  type: of.headers.get('x-amz-checksum-type'),
});

const at = (Key: string) => ({ Bucket: bucket, Key });
const head = (key: string) => s3.send(new HeadObjectCommand({ ...at(key), ChecksumMode: 'ENABLED' }));

describe('an object that came without a checksum', () => {
  it('gets CRC-64/NVME, which the answer to the PUT has', async () => {
    expect(checksumOf(await putByUrl(freshKey(), 'something'))).toEqual({
      value: ofSomething,
      type: 'FULL_OBJECT',
    });
    expect(checksumOf(await putByUrl(freshKey(), ''))).toEqual({
      value: 'AAAAAAAAAAA=',
      type: 'FULL_OBJECT',
    });
  });

  it('gives it to those who ask for it, and to nobody else', async () => {
    const key = freshKey();
    await putByUrl(key, 'something');
    const asked = { ChecksumCRC64NVME: ofSomething, ChecksumType: 'FULL_OBJECT' };
    expect(await head(key)).toMatchObject(asked);
    const got = await s3.send(new GetObjectCommand({ ...at(key), ChecksumMode: 'ENABLED' }));
    expect(got).toMatchObject(asked);
    expect(await got.Body?.transformToString()).toBe('something');
    for (const unasked of [
      await s3.send(new HeadObjectCommand(at(key))),
      await s3.send(new GetObjectCommand(at(key))),
    ]) {
      expect([unasked.ChecksumCRC64NVME, unasked.ChecksumType]).toEqual([undefined, undefined]);
    }
  });

  it('has it of content in many pieces, and after a restart', async () => {
    const key = freshKey();
    const answer = await putByUrl(key, Buffer.alloc(3_000_001, 'file sync '));
    const { value } = checksumOf(answer);
    expect(value).toMatch(/^[A-Za-z0-9+/]{11}=$/);
    await s3.send(
      new PutObjectCommand({ ...at(`${key}-signed`), Body: Buffer.alloc(3_000_001, 'file sync ') }),
    );
    s3.destroy();
    await aws.close();
    await start();
    expect((await head(key)).ChecksumCRC64NVME).toBe(value);
    expect((await head(`${key}-signed`)).ChecksumCRC64NVME).toBe(value);
  });
});

describe('the head of a version', () => {
  it('needs the permission to read the version, and none for its tags or its list', async () => {
    const key = freshKey();
    const VersionId = (await putByUrl(key, 'something')).headers.get('x-amz-version-id') ?? '';
    const headAs = async (role: string) => {
      const client = new S3Client(clientFor(aws, aws.credentialsForRole(roleArnOf(role), 'session')));
      const command = new HeadObjectCommand({ ...at(key), VersionId, ChecksumMode: 'ENABLED' });
      try {
        return (await client.send(command)).ChecksumCRC64NVME;
      } catch (error) {
        return error instanceof S3ServiceException ? error.$metadata.httpStatusCode : error;
      } finally {
        client.destroy();
      }
    };
    expect(await headAs('Reader')).toBe(ofSomething);
    expect(await headAs('Lister')).toBe(403);
  });
});
