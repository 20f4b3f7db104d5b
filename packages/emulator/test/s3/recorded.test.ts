import { DeleteObjectCommand, GetObjectCommand, PutObjectCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';
import { uploadUrl } from '../support/presigned.ts';

/**
 * S3's answers as they were recorded from AWS. LocalStack's project keeps the recordings (github.com/localstack/localstack,
 * `tests/aws/services/s3`).
 */

const bucket = 'test-bucket';
const resources = [resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } })];
let runs: AwsRuns;
let aws: AwsServices;
let s3: S3Client;

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start();
  s3 = new S3Client(clientFor(aws));
});
afterAll(async () => {
  s3?.destroy();
  await runs.end();
});

let counter = 0;
const presign = (options: Partial<Parameters<typeof uploadUrl>[0]> = {}) => {
  counter += 1;
  const credentials = aws.operatorCredentials;
  return uploadUrl({ endpoint: aws.endpoint, bucket, key: `uploads/${counter}`, credentials, ...options });
};

async function put(url: string, headers: Record<string, string> = {}, body = 'content') {
  const answer = await fetch(url, { method: 'PUT', headers, body });
  const text = await answer.text();
  const pairs = [...text.matchAll(/<([A-Za-z0-9-]+)>([^<]*)<\/\1>/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return { status: answer.status, error: Object.fromEntries(pairs) as Record<string, string> };
}

const always = ['Code', 'HostId', 'Message', 'RequestId'];

describe('a presigned PUT', () => {
  it('may have an unsigned x-amz-content-sha256, whatever it says, but no other unsigned header of S3', async () => {
    for (const hash of ['UNSIGNED-PAYLOAD', '0'.repeat(64), 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD']) {
      expect((await put(await presign(), { 'x-amz-content-sha256': hash })).status).toBe(200);
    }
    const headers = {
      'x-amz-content-sha256': 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD',
      'x-amz-date': '20211122T191045Z',
    };
    expect(await put(await presign(), headers)).toMatchObject({
      status: 403,
      error: { Code: 'AccessDenied', HeadersNotSigned: 'x-amz-date' },
    });
  });

  it('gets errors with the recorded elements, and no others', async () => {
    const used = await presign();
    await put(used);
    const signingDate = new Date(Date.now() - 10_000);
    const expired = await put(await presign({ signingDate, expiresIn: 2 }));
    const unsigned = await put(await presign(), { 'x-amz-acl': 'private' });
    const elements = ({ error }: Awaited<ReturnType<typeof put>>) => Object.keys(error).sort();
    expect(elements(await put(used))).toEqual([...always, 'Condition'].sort());
    expect(elements(expired)).toEqual([...always, 'Expires', 'ServerTime', 'X-Amz-Expires'].sort());
    expect(elements(unsigned)).toEqual([...always, 'HeadersNotSigned'].sort());
  });
});

it('a wrong digest is refused with what was expected and what came', async () => {
  expect(await put(await presign(), { 'content-md5': '000' })).toMatchObject({
    status: 400,
    error: { Code: 'InvalidDigest', 'Content-MD5': '000' },
  });
  expect(
    await put(
      await presign(),
      { 'content-md5': Buffer.from('09891eb590524e35fc73372cddc5d596', 'hex').toString('base64') },
      'something',
    ),
  ).toMatchObject({
    status: 400,
    error: {
      Code: 'BadDigest',
      CalculatedDigest: 'Q3uTDbhLgHnC3YBKcZNrXw==',
      ExpectedDigest: '09891eb590524e35fc73372cddc5d596',
    },
  });
});

it('a delete marker is told apart from a version, and a version ID that is none from one that is gone', async () => {
  const at = { Bucket: bucket, Key: 'deleted' };
  const { VersionId: version } = await s3.send(new PutObjectCommand({ ...at, Body: 'x' }));
  const { DeleteMarker, VersionId: marker } = await s3.send(new DeleteObjectCommand(at));
  expect(DeleteMarker).toBe(true);
  await expect(s3.send(new GetObjectCommand(at))).rejects.toMatchObject({ name: 'NoSuchKey' });
  await expect(s3.send(new GetObjectCommand({ ...at, VersionId: marker }))).rejects.toMatchObject({
    name: 'MethodNotAllowed',
  });
  const removed = await s3.send(new DeleteObjectCommand({ ...at, VersionId: marker }));
  expect([removed.DeleteMarker, removed.VersionId]).toEqual([true, marker]);
  const gone = await s3.send(new DeleteObjectCommand({ ...at, VersionId: version }));
  expect([gone.DeleteMarker, gone.VersionId]).toEqual([undefined, version]);
  await expect(s3.send(new GetObjectCommand({ ...at, VersionId: version }))).rejects.toMatchObject({
    name: 'NoSuchVersion',
  });
  await expect(s3.send(new DeleteObjectCommand({ ...at, VersionId: 'bad' }))).rejects.toMatchObject({
    name: 'InvalidArgument',
  });
});
