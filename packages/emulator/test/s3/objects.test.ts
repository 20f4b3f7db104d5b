import {
  DeleteObjectCommand,
  GetObjectCommand,
  GetObjectTaggingCommand,
  HeadObjectCommand,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand, STSClient } from '@aws-sdk/client-sts';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Credentials } from '../../authentication/credentials.ts';
import type { AwsServices } from '../../aws-services.ts';
import {
  type AwsRuns,
  clientFor,
  functionRole,
  policy,
  prepareRuns,
  resource,
  roleArnOf,
} from '../support/aws-services.ts';
import { element, uploadUrl } from '../support/presigned.ts';

const bucket = 'test-bucket';
const objects = `arn:aws:s3:::${bucket}/uploads/*`;
const signer = roleArnOf('Signer');
const resources = [
  resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } }),
  ...functionRole('Sync', { Effect: 'Allow', Action: 'sts:AssumeRole', Resource: signer }),
  ...functionRole('Record', { Effect: 'Allow', Action: ['s3:PutObject', 's3:GetObject'], Resource: objects }),
  resource('Signer', 'AWS::IAM::Role', {
    AssumeRolePolicyDocument: policy({
      Effect: 'Allow',
      Action: 'sts:AssumeRole',
      Principal: { AWS: roleArnOf('Sync') },
    }),
    Policies: [
      {
        PolicyName: 'put',
        PolicyDocument: policy({ Effect: 'Allow', Action: 's3:PutObject', Resource: objects }),
      },
    ],
  }),
];

let runs: AwsRuns;
let aws: AwsServices;
let s3: S3Client;
let denied: Record<string, unknown>[] = [];
let now = () => new Date();

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start({ log: (line) => denied.push({ ...line }), now: () => now() });
  s3 = new S3Client(clientFor(aws));
});
afterAll(async () => {
  s3.destroy();
  await runs.end();
});

async function assume(as: Credentials, policyText?: string, durationSeconds = 3600): Promise<Credentials> {
  const sts = new STSClient(clientFor(aws, as));
  const { Credentials: issued } = await sts.send(
    new AssumeRoleCommand({
      RoleArn: signer,
      RoleSessionName: 'upload',
      DurationSeconds: durationSeconds,
      ...(policyText === undefined ? {} : { Policy: policyText }),
    }),
  );
  sts.destroy();
  if (!issued?.AccessKeyId || !issued.SecretAccessKey || !issued.SessionToken) {
    throw new Error('no credentials');
  }
  return {
    accessKeyId: issued.AccessKeyId,
    secretAccessKey: issued.SecretAccessKey,
    sessionToken: issued.SessionToken,
  };
}

function onlyKey(key: string): string {
  const resourceArn = `arn:aws:s3:::${bucket}/${key}`;
  return JSON.stringify(policy({ Effect: 'Allow', Action: 's3:PutObject', Resource: resourceArn }));
}

async function put(url: string, body = 'content') {
  const response = await fetch(url, { method: 'PUT', body });
  return { status: response.status, text: await response.text() };
}

describe('objects through the SDK', () => {
  it('puts, heads and gets an object with its type and tags, and refuses a part of it', async () => {
    const { ETag, VersionId } = await s3.send(
      new PutObjectCommand({
        Bucket: bucket,
        Key: 'uploads/a b+c/ä.csv',
        Body: 'a,b\n1,2\n',
        ContentType: 'text/csv',
        Tagging: 'tombstone=cancelled&x=1%262',
      }),
    );
    const head = await s3.send(new HeadObjectCommand({ Bucket: bucket, Key: 'uploads/a b+c/ä.csv' }));
    const got = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: 'uploads/a b+c/ä.csv' }));
    const tags = await s3.send(
      new GetObjectTaggingCommand({ Bucket: bucket, Key: 'uploads/a b+c/ä.csv', VersionId }),
    );
    expect(head).toMatchObject({
      ETag,
      VersionId,
      ContentLength: 8,
      ContentType: 'text/csv',
      TagCount: 2,
    });
    expect(await got.Body?.transformToString()).toBe('a,b\n1,2\n');
    const part = new GetObjectCommand({ Bucket: bucket, Key: 'uploads/a b+c/ä.csv', Range: 'bytes=0-3' });
    await expect(s3.send(part)).rejects.toMatchObject({ name: 'NotImplemented' });
    expect(tags.TagSet).toEqual([
      { Key: 'tombstone', Value: 'cancelled' },
      { Key: 'x', Value: '1&2' },
    ]);
  });

  it('keeps every version, hides a deleted object, and a delete opens the key again', async () => {
    const target = { Bucket: bucket, Key: 'uploads/versions' };
    const first = await s3.send(new PutObjectCommand({ ...target, Body: 'one' }));
    const second = await s3.send(new PutObjectCommand({ ...target, Body: 'two' }));
    const old = await s3.send(new GetObjectCommand({ ...target, VersionId: first.VersionId }));
    expect(await old.Body?.transformToString()).toBe('one');
    const marker = await s3.send(new DeleteObjectCommand(target));
    expect(marker.DeleteMarker).toBe(true);
    await expect(s3.send(new GetObjectCommand(target))).rejects.toMatchObject({ name: 'NoSuchKey' });
    const listed = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: target.Key }));
    expect(listed.Versions?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
      [second.VersionId, false],
      [first.VersionId, false],
    ]);
    expect(listed.DeleteMarkers?.map(({ VersionId, IsLatest }) => [VersionId, IsLatest])).toEqual([
      [marker.VersionId, true],
    ]);
    await s3.send(new PutObjectCommand({ ...target, Body: 'three', IfNoneMatch: '*' }));
    await s3.send(new DeleteObjectCommand({ ...target, VersionId: first.VersionId }));
    const gone = new GetObjectCommand({ ...target, VersionId: first.VersionId });
    await expect(s3.send(gone)).rejects.toMatchObject({ name: 'NoSuchVersion' });
  });

  it('refuses a wrong secret key, a stale clock and what it does not serve', async () => {
    const wrong = new S3Client(clientFor(aws, { ...aws.operatorCredentials, secretAccessKey: 'wrong' }));
    const head = new GetObjectCommand({ Bucket: bucket, Key: 'uploads/mine' });
    await expect(wrong.send(head)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    // A client of its own: the SDK corrects its clock by this answer.
    const slow = new S3Client(clientFor(aws));
    now = () => new Date(Date.now() + 16 * 60 * 1000);
    await expect(slow.send(head)).rejects.toMatchObject({
      name: 'SignatureDoesNotMatch',
      message: expect.stringMatching(/^Signature/),
    });
    now = () => new Date();
    const encrypted = new PutObjectCommand({
      Bucket: bucket,
      Key: 'uploads/kms',
      Body: 'x',
      ServerSideEncryption: 'aws:kms',
    });
    await expect(s3.send(encrypted)).rejects.toMatchObject({ name: 'NotImplemented' });
    for (const client of [wrong, slow]) {
      client.destroy();
    }
  });
});

describe('sessions of the role that signs upload URLs', () => {
  it('put the one key that their session policy allows, and no other', async () => {
    const sync = aws.credentialsForRole(roleArnOf('Sync'), 'sync');
    const credentials = await assume(sync, onlyKey('uploads/mine'));
    const urlFor = (key: string) => uploadUrl({ endpoint: aws.endpoint, bucket, key, credentials });
    denied = [];
    const other = await put(await urlFor('uploads/theirs'));
    expect([other.status, element(other.text, 'Code')]).toEqual([403, 'AccessDenied']);
    expect(denied).toMatchObject([
      {
        message: 'access denied',
        role: 'test-Signer',
        action: 's3:PutObject',
        resource: `arn:aws:s3:::${bucket}/uploads/theirs`,
        by: 'the session policy',
      },
    ]);
    expect((await put(await urlFor('uploads/mine'))).status).toBe(200);
    const session = new S3Client(clientFor(aws, credentials));
    const get = new GetObjectCommand({ Bucket: bucket, Key: 'uploads/mine' });
    await expect(session.send(get)).rejects.toMatchObject({ name: 'AccessDenied' });
    session.destroy();
  });

  it('end: a URL whose session has expired answers 400 ExpiredToken', async () => {
    const sync = aws.credentialsForRole(roleArnOf('Sync'), 'sync');
    const credentials = await assume(sync, undefined, 900);
    const url = await uploadUrl({ endpoint: aws.endpoint, bucket, key: 'uploads/late', credentials });
    now = () => new Date(Date.now() + 901_000);
    const answer = await put(url);
    now = () => new Date();
    expect([answer.status, element(answer.text, 'Code')]).toEqual([400, 'ExpiredToken']);
  });

  it('are refused with a token that was tampered with', async () => {
    const sync = aws.credentialsForRole(roleArnOf('Sync'), 'sync');
    const credentials = await assume(sync);
    const [payload = '', mac = ''] = (credentials.sessionToken ?? '').split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const forged = Buffer.from(JSON.stringify({ ...claims, roleArn: roleArnOf('Record') })).toString(
      'base64url',
    );
    const url = await uploadUrl({
      endpoint: aws.endpoint,
      bucket,
      key: 'uploads/forged',
      credentials: { ...credentials, sessionToken: `${forged}.${mac}` },
    });
    const answer = await put(url);
    expect([answer.status, element(answer.text, 'Code')]).toEqual([400, 'InvalidToken']);
  });

  it('are for the role in the trust policy only, and for an hour at most', async () => {
    const record = aws.credentialsForRole(roleArnOf('Record'), 'record');
    const sync = aws.credentialsForRole(roleArnOf('Sync'), 'sync');
    await expect(assume(record)).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(assume(aws.operatorCredentials)).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(assume(sync, undefined, 3601)).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(assume(sync, undefined, 899)).rejects.toMatchObject({ name: 'ValidationError' });
    await expect(assume(sync, '{"Version":')).rejects.toMatchObject({
      name: 'MalformedPolicyDocumentException',
    });
    for (const statements of [[], [{ Effect: 'Allow', Action: 's3:PutObject' }]]) {
      await expect(assume(sync, JSON.stringify(policy(...statements)))).rejects.toMatchObject({
        name: 'MalformedPolicyDocumentException',
      });
    }
    await expect(assume(sync, ' '.repeat(2049))).rejects.toMatchObject({ name: 'ValidationError' });
  });

  it('tell nobody whether a key exists who may not list the bucket', async () => {
    const record = new S3Client(clientFor(aws, aws.credentialsForRole(roleArnOf('Record'), 'record')));
    const get = new GetObjectCommand({ Bucket: bucket, Key: 'uploads/never-put' });
    await expect(record.send(get)).rejects.toMatchObject({ name: 'AccessDenied' });
    await expect(s3.send(get)).rejects.toMatchObject({ name: 'NoSuchKey' });
    record.destroy();
  });
});
