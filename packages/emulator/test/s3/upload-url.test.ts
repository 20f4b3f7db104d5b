import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { bucketWith, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { exchange } from '../support/exchange.ts';
import { element, type PresignOptions, presignedUrl, putHead, withParameter } from '../support/presigned.ts';
import { storedVersions } from '../support/stored-versions.ts';

const bucket = 'test-bucket';

let counter = 0;

const runs = await prepareRuns([bucketWith()]);
const aws = await runs.start();
const s3 = clients(aws).s3;

function freshKey(): string {
  counter += 1;
  return `uploads/${counter}`;
}

function presign(key = freshKey(), options: Partial<PresignOptions> = {}): Promise<string> {
  return presignedUrl({ endpoint: aws.endpoint, key, credentials: aws.operatorCredentials, ...options });
}

async function put(url: string, body: string | Buffer = 'content', headers: Record<string, string> = {}) {
  const response = await fetch(url, { method: 'PUT', body, headers });
  const text = await response.text();
  const [code, message] = ['Code', 'Message'].map((name) => element(text, name));
  return {
    text,
    outcome: code === undefined ? `${response.status}` : `${response.status} ${code}: ${message}`,
  };
}

async function contentOf(key: string): Promise<Buffer> {
  const { Body } = await s3.getObject({ Bucket: bucket, Key: key });
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

async function versionsOf(key: string): Promise<number> {
  return (await storedVersions(runs.stateDirectory, bucket, key)).length;
}

const incoming = () => readdir(join(runs.stateDirectory, 's3', bucket, 'incoming'));

describe('PUT to an upload URL', () => {
  it('returns times in the format of S3', async () => {
    const response = await put(await presign(freshKey(), { signingDate: new Date(Date.now() - 3_602_000) }));
    const time = /T\d\d:\d\d:\d\dZ$/;
    expect(element(response.text, 'Expires')).toMatch(time);
    expect(element(response.text, 'ServerTime')).toMatch(time);
  });

  it('does not return the Authorization header of an ambiguous request', async () => {
    const response = await put(await presign(), 'content', { authorization: 'Bearer secret-token' });
    expect(response.outcome).toContain('InvalidArgument: Only one auth mechanism allowed;');
    expect(response.text).not.toContain('secret-token');
  });

  it('rejects an unknown access key', async () => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' };
    const unknown = await put(await presign(freshKey(), { credentials }));
    expect(unknown.outcome).toBe(
      '403 InvalidAccessKeyId: The AWS Access Key Id you provided does not exist in our records.',
    );
  });
});

describe('size of an upload', () => {
  const send = async (lines: readonly string[], url?: string, body = '') =>
    exchange(aws.endpoint, [putHead(url ?? (await presign()), lines), body], {
      until: /<\/Error>|100 Continue/,
    });

  it('requests a body of 5 GiB, but not the body of a rejected request', async () => {
    const expecting = 'Expect: 100-continue';
    expect(await send(['Content-Length: 5368709120', expecting])).toContain('HTTP/1.1 100 Continue');
    const url = withParameter(await presign(), 'X-Amz-Signature', '0'.repeat(64));
    expect(await send(['Content-Length: 1000000', expecting], url)).toContain('HTTP/1.1 403 ');
  });
});

it('an interrupted upload leaves no file, and its URL stays valid', async () => {
  const key = freshKey();
  const url = await presign(key);
  await exchange(aws.endpoint, [putHead(url, ['Content-Length: 1000']), 'only a part'], { end: true });
  expect(await versionsOf(key)).toBe(0);
  await expect.poll(incoming).toEqual([]);
  expect((await put(url, 'whole')).outcome).toBe('200');
  expect(String(await contentOf(key))).toBe('whole');
});

it('of two PUTs to one URL, the first to end is stored, even if it began later', async () => {
  const key = freshKey();
  const url = await presign(key);
  const slow = request(url, { method: 'PUT', headers: { 'content-length': '10' } });
  const responded = once(slow, 'response') as Promise<[IncomingMessage]>;
  slow.write('slow ');
  await expect.poll(incoming).toHaveLength(1);
  expect((await put(url, 'fast')).outcome).toBe('200');
  slow.end('again');
  const [{ statusCode }] = await responded;
  expect(statusCode).toBe(412);
  expect(String(await contentOf(key))).toBe('fast');
  expect(await incoming()).toEqual([]);
});
