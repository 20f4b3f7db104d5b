import {
  DeleteObjectCommand,
  GetObjectCommand,
  HeadObjectCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { AssumeRoleCommand } from '@aws-sdk/client-sts';
import { describe, expect, it } from 'vitest';
import {
  allow,
  bucketWith,
  clientFor,
  functionRole,
  policy,
  prepareRuns,
  roleArnOf,
  uploadSigner,
} from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { element, presignedUrl } from '../support/presigned.ts';

const bucket = 'test-bucket';
const objects = `arn:aws:s3:::${bucket}/uploads/*`;
const mayPut = allow('s3:PutObject', objects);
const resources = [
  bucketWith(),
  ...functionRole('VersionReader', allow('s3:GetObjectVersion', objects)),
  ...uploadSigner(mayPut),
  ...functionRole('TagReader', allow(['s3:GetObjectVersionTagging', 's3:ListBucket'], '*')),
];

let denied: Record<string, unknown>[] = [];
let now = () => new Date();

const runs = await prepareRuns(resources);
const aws = await runs.start({ log: (line) => denied.push({ ...line }), now: () => now() });
const s3 = clients(aws).s3;

const at = (Key: string) => ({ Bucket: bucket, Key });

describe('objects through the SDK', () => {
  it('returns the head of a version to a role that may read it', async () => {
    const target = at('uploads/head');
    const { VersionId } = await s3.send(new PutObjectCommand({ ...target, Body: 'x' }));
    const head = (role: string) =>
      clients(aws, role).s3.send(new HeadObjectCommand({ ...target, VersionId }));
    expect(await head('VersionReader')).toMatchObject({ VersionId });
    await expect(head('TagReader')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('lists the versions of a key, newest first', async () => {
    const target = at('uploads/versions');
    const put = async (Body: string) => (await s3.send(new PutObjectCommand({ ...target, Body }))).VersionId;
    const [first, second] = [await put('x'), await put('xyz')];
    const marker = await s3.send(new DeleteObjectCommand(target));
    const list = new ListObjectVersionsCommand({ Bucket: bucket, Prefix: target.Key });
    expect(await s3.send(list)).toMatchObject({
      Versions: [
        { Key: target.Key, VersionId: second, IsLatest: false, Size: 3 },
        { VersionId: first, Size: 1, ETag: '"9dd4e461268c8034f5c8564e155c67a6"' },
      ],
      DeleteMarkers: [{ VersionId: marker.VersionId, IsLatest: true }],
    });
    await expect(clients(aws, 'TagReader').s3.send(list)).rejects.toMatchObject({
      name: 'AccessDenied',
    });
  });

  it('lists current objects by their keys, in pages', async () => {
    const keys = ['list/b', 'list/d', 'list/a', 'list/c'];
    for (const Key of keys) {
      await s3.send(new PutObjectCommand({ ...at(Key), Body: Key }));
    }
    await s3.send(new DeleteObjectCommand(at('list/b')));
    const list = { Bucket: bucket, Prefix: 'list/', MaxKeys: 2 };
    const page = await s3.send(new ListObjectsV2Command(list));
    expect(page).toMatchObject({
      IsTruncated: true,
      Contents: [{ Key: 'list/a', Size: 6 }, { Key: 'list/c' }],
    });
    const ContinuationToken = page.NextContinuationToken;
    const rest = await s3.send(new ListObjectsV2Command({ ...list, ContinuationToken }));
    expect(rest).toMatchObject({ IsTruncated: false, KeyCount: 1, Contents: [{ Key: 'list/d' }] });
    expect(rest.NextContinuationToken).toBeUndefined();
    const denied = clients(aws, 'VersionReader').s3.send(new ListObjectsV2Command(list));
    await expect(denied).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('rejects a wrong secret key, and a wrong Region', async () => {
    const get = new GetObjectCommand(at('uploads/mine'));
    const wrong = clients(aws, { ...aws.operatorCredentials, secretAccessKey: 'wrong' });
    await expect(wrong.s3.send(get)).rejects.toMatchObject({ name: 'SignatureDoesNotMatch' });
    const elsewhere = new S3Client({ ...clientFor(aws), region: 'eu-west-1' });
    await expect(elsewhere.send(get)).rejects.toMatchObject({ name: 'AuthorizationHeaderMalformed' });
  });
});

describe('sessions of the role that signs upload URLs', () => {
  async function assume(role = 'Sync', more: { Policy?: string; DurationSeconds?: number } = {}) {
    const { Credentials: issued } = await clients(aws, role).sts.send(
      new AssumeRoleCommand({ RoleArn: roleArnOf('Signer'), RoleSessionName: 'upload', ...more }),
    );
    return {
      accessKeyId: issued?.AccessKeyId ?? '',
      secretAccessKey: issued?.SecretAccessKey ?? '',
      sessionToken: issued?.SessionToken ?? '',
    };
  }

  async function putAs(credentials: Awaited<ReturnType<typeof assume>>, key: string, later = 0) {
    const url = await presignedUrl({ endpoint: aws.endpoint, key, credentials });
    now = () => new Date(Date.now() + later);
    const response = await fetch(url, { method: 'PUT', body: 'content' });
    now = () => new Date();
    return [response.status, element(await response.text(), 'Code')];
  }

  it('put only the key that their session policy allows', async () => {
    const resourceArn = `arn:aws:s3:::${bucket}/uploads/mine`;
    const credentials = await assume('Sync', {
      Policy: JSON.stringify(policy({ ...mayPut, Resource: resourceArn })),
    });
    denied = [];
    expect(await putAs(credentials, 'uploads/theirs')).toEqual([403, 'AccessDenied']);
    expect(denied).toMatchObject([
      {
        message: 'access denied',
        role: 'test-Signer',
        action: 's3:PutObject',
        resource: `arn:aws:s3:::${bucket}/uploads/theirs`,
        by: 'the session policy',
      },
    ]);
    expect(await putAs(credentials, 'uploads/mine')).toEqual([200, undefined]);
    const get = clients(aws, credentials).s3.send(new GetObjectCommand(at('uploads/mine')));
    await expect(get).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('expire: their URLs respond with 400 ExpiredToken', async () => {
    const credentials = await assume('Sync', { DurationSeconds: 900 });
    expect(await putAs(credentials, 'uploads/late', 901_000)).toEqual([400, 'ExpiredToken']);
  });

  it('are only for the role in the trust policy', async () => {
    await expect(assume('TagReader')).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it.for([{ DurationSeconds: 3601 }, { DurationSeconds: 899 }, { Policy: ' '.repeat(2049) }])(
    'are limited as in AWS: %j',
    async (more) => {
      await expect(assume('Sync', more)).rejects.toMatchObject({ name: 'ValidationError' });
    },
  );

  it.for(['{"Version":', JSON.stringify(policy())])('reject a session policy such as %s', async (Policy) => {
    const malformed = { name: 'MalformedPolicyDocumentException' };
    await expect(assume('Sync', { Policy })).rejects.toMatchObject(malformed);
  });
});
