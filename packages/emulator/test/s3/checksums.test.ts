import { createHash } from 'node:crypto';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
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

/** Where the descriptions of the versions of a key lie. */
async function descriptions(key: string): Promise<string[]> {
  const digest = createHash('sha256').update(key).digest('hex');
  const folder = join(runs.stateDirectory, 's3', bucket, 'keys', digest.slice(0, 2), digest);
  return (await readdir(folder)).filter((name) => name.endsWith('.json')).map((name) => join(folder, name));
}

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

  it('does not give it with a part of the content, which it does not cover', async () => {
    const key = freshKey();
    await putByUrl(key, 'something');
    const ranged = (Range: string) =>
      s3.send(new HeadObjectCommand({ ...at(key), Range, ChecksumMode: 'ENABLED' }));
    expect((await ranged('bytes=0-3')).ChecksumCRC64NVME).toBeUndefined();
    expect((await ranged('bytes=0-8')).ChecksumCRC64NVME).toBe(ofSomething);
  });

  it('says in lists which checksum it has, and not its value', async () => {
    const key = freshKey();
    await putByUrl(key, 'something');
    const listed = { ChecksumAlgorithm: ['CRC64NVME'], ChecksumType: 'FULL_OBJECT' };
    const versions = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }));
    expect(versions.Versions).toMatchObject([listed]);
    const contents = await s3.send(new ListObjectsV2Command({ Bucket: bucket, Prefix: key }));
    expect(contents.Contents).toMatchObject([listed]);
    expect(JSON.stringify([versions, contents])).not.toContain(ofSomething);
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

describe('an object', () => {
  it.each([
    ['CRC32', { ChecksumAlgorithm: 'CRC32' }, { ChecksumCRC32: 'Cdox+w==' }],
    ['CRC64NVME', { ChecksumCRC64NVME: ofSomething }, { ChecksumCRC64NVME: ofSomething }],
    [
      'SHA256',
      { ChecksumSHA256: createHash('sha256').update('something').digest('base64') },
      { ChecksumSHA256: createHash('sha256').update('something').digest('base64') },
    ],
  ] as const)('that came with a %s keeps that, and no other', async (algorithm, sent, kept) => {
    const key = freshKey();
    const put = await s3.send(new PutObjectCommand({ ...at(key), Body: 'something', ...sent }));
    const all = ({ ChecksumCRC32, ChecksumCRC64NVME, ChecksumSHA256 }: typeof put) =>
      JSON.parse(JSON.stringify({ ChecksumCRC32, ChecksumCRC64NVME, ChecksumSHA256 }));
    expect(all(put)).toEqual(kept);
    expect(all(await head(key))).toEqual(kept);
    const versions = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }));
    expect(versions.Versions).toMatchObject([{ ChecksumAlgorithm: [algorithm] }]);
  });

  it('with another CRC-64/NVME than it came with is refused', async () => {
    const wrong = (ChecksumCRC64NVME: string) =>
      s3.send(new PutObjectCommand({ ...at(freshKey()), Body: 'something', ChecksumCRC64NVME }));
    await expect(wrong('AAAAAAAAAAA=')).rejects.toMatchObject({
      name: 'BadDigest',
      message: 'The CRC64NVME you specified did not match the calculated checksum.',
    });
    await expect(wrong('short')).rejects.toMatchObject({
      name: 'InvalidRequest',
      message: 'Value for x-amz-checksum-crc64nvme header is invalid.',
    });
  });

  it('of an older state folder has no checksum, and is read all the same', async () => {
    const key = freshKey();
    await putByUrl(key, 'something');
    for (const path of await descriptions(key)) {
      const { checksum: _, ...older } = JSON.parse(await readFile(path, 'utf8')) as Record<string, unknown>;
      await writeFile(path, JSON.stringify(older));
    }
    const { ContentLength, ChecksumCRC64NVME, ChecksumType } = await head(key);
    expect([ContentLength, ChecksumCRC64NVME, ChecksumType]).toEqual([9, undefined, undefined]);
    const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }));
    expect(Versions.map(({ ChecksumAlgorithm }) => ChecksumAlgorithm)).toEqual([undefined]);
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
