import { S3 } from '@aws-sdk/client-s3';
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
    const { VersionId } = await s3.putObject({ ...target, Body: 'x' });
    const head = (role: string) => clients(aws, role).s3.headObject({ ...target, VersionId });
    expect(await head('VersionReader')).toMatchObject({ VersionId });
    await expect(head('TagReader')).rejects.toMatchObject({ $metadata: { httpStatusCode: 403 } });
  });

  it('lists versions only for a role that may list them', async () => {
    const list = clients(aws, 'TagReader').s3.listObjectVersions({ Bucket: bucket, Prefix: 'uploads/head' });
    await expect(list).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('lists current objects by their keys, in pages', async () => {
    for (const Key of ['list/b', 'list/d', 'list/a', 'list/c']) {
      await s3.putObject({ ...at(Key), Body: Key });
    }
    await s3.deleteObject(at('list/b'));
    const list = { Bucket: bucket, Prefix: 'list/', MaxKeys: 2 };
    const { NextContinuationToken: ContinuationToken, ...page } = await s3.listObjectsV2(list);
    const first = { Key: 'list/a', Size: 6 };
    expect(page).toMatchObject({ IsTruncated: true, Contents: [first, { Key: 'list/c' }] });
    const rest = await s3.listObjectsV2({ ...list, ContinuationToken });
    expect(rest).toMatchObject({ IsTruncated: false, KeyCount: 1, Contents: [{ Key: 'list/d' }] });
    await s3.putObject({ ...at('list/e'), Body: 'e' });
    expect(await s3.listObjectsV2({ Bucket: bucket, Prefix: 'list/e' })).toMatchObject({ KeyCount: 1 });
    const denied = clients(aws, 'VersionReader').s3.listObjectsV2(list);
    await expect(denied).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('rejects a wrong Region', async () => {
    const elsewhere = new S3({ ...clientFor(aws), region: 'eu-west-1' }).getObject(at('uploads/mine'));
    await expect(elsewhere).rejects.toMatchObject({ name: 'AuthorizationHeaderMalformed' });
  });
});

describe('sessions of the role that signs upload URLs', () => {
  async function assume(role = 'Sync', more: { Policy?: string; DurationSeconds?: number } = {}) {
    const { Credentials: issued } = await clients(aws, role).sts.assumeRole({
      RoleArn: roleArnOf('Signer'),
      RoleSessionName: 'upload',
      ...more,
    });
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
    const get = clients(aws, credentials).s3.getObject(at('uploads/mine'));
    await expect(get).rejects.toMatchObject({ name: 'AccessDenied' });
  });

  it('expire: their URLs respond with 400 ExpiredToken', async () => {
    const credentials = await assume('Sync', { DurationSeconds: 900 });
    expect(await putAs(credentials, 'uploads/late', 901_000)).toEqual([400, 'ExpiredToken']);
  });

  it('are only for the role in the trust policy', async () => {
    await expect(assume('TagReader')).rejects.toMatchObject({ name: 'AccessDenied' });
  });
});
