import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { join } from 'node:path';
import { GetObjectCommand } from '@aws-sdk/client-s3';
import { describe, expect, it } from 'vitest';
import { bucketWith, prepareRuns } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';
import { exchange } from '../support/exchange.ts';
import { element, putHead, uploadUrl, withParameter } from '../support/presigned.ts';
import { storedVersions } from '../support/stored-versions.ts';

/** Codes and elements of errors are as they were recorded from AWS, in LocalStack's `tests/aws/services/s3`. */

const bucket = 'test-bucket';

let now = () => new Date();
let counter = 0;

const runs = await prepareRuns([bucketWith()]);
const aws = await runs.start({ now: () => now() });
const s3 = clients(aws).s3;

function freshKey(): string {
  counter += 1;
  return `uploads/${counter}`;
}

function presign(key = freshKey(), options: Partial<Parameters<typeof uploadUrl>[0]> = {}): Promise<string> {
  return uploadUrl({ endpoint: aws.endpoint, bucket, key, credentials: aws.operatorCredentials, ...options });
}

async function put(url: string, body: string | Buffer = 'content', headers: Record<string, string> = {}) {
  const answer = await fetch(url, { method: 'PUT', body, headers });
  const text = await answer.text();
  const pairs = [...text.matchAll(/<([A-Za-z0-9-]+)>([^<]*)<\/\1>/g)].map(([, name = '', value = '']) => [
    name,
    value,
  ]);
  return {
    status: answer.status,
    headers: answer.headers,
    text,
    error: Object.fromEntries(pairs) as Readonly<Record<string, string>>,
  };
}

const refused = (status: number, Code: string, more: object = {}) => ({ status, error: { Code, ...more } });

async function contentOf(key: string): Promise<Buffer> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return Buffer.from((await Body?.transformToByteArray()) ?? []);
}

async function versionsOf(key: string): Promise<number> {
  const versions = await storedVersions(runs.stateDirectory, bucket);
  return versions.filter((version) => version.key === key).length;
}

const incoming = () => readdir(join(runs.stateDirectory, 's3', bucket, 'incoming'));

describe('PUT to an upload URL', () => {
  it('answers the first PUT with 200, an empty body and the ETag', async () => {
    const key = freshKey();
    const { status, headers, text } = await put(await presign(key), 'first');
    expect([status, text]).toEqual([200, '']);
    expect(headers.get('etag')).toBe(`"${createHash('md5').update('first').digest('hex')}"`);
    expect(headers.get('content-length')).toBe('0');
    expect(headers.get('x-amz-server-side-encryption')).toBe('AES256');
    expect(headers.get('x-amz-version-id')).toMatch(/^[\w.]{32}$/);
    expect(String(await contentOf(key))).toBe('first');
  });

  it('answers the second PUT with 412 PreconditionFailed and keeps the first content', async () => {
    const key = freshKey();
    const url = await presign(key);
    await put(url, 'first');
    const again = await put(url, 'second');
    expect(again.headers.get('content-type')).toBe('application/xml');
    const requestId = again.headers.get('x-amz-request-id');
    expect(again.status).toBe(412);
    expect(again.error).toEqual({
      Code: 'PreconditionFailed',
      Condition: 'If-None-Match',
      HostId: requestId,
      Message: expect.any(String),
      RequestId: requestId,
    });
    expect(String(await contentOf(key))).toBe('first');
    expect(await versionsOf(key)).toBe(1);
  });

  it('refuses it after the hour with 403 AccessDenied, Request has expired', async () => {
    const url = await presign();
    const issued = Date.now();
    now = () => new Date(issued + 3_602_000);
    const answer = await put(url);
    now = () => new Date();
    expect(answer.status).toBe(403);
    const time = expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(answer.error).toEqual({
      Code: 'AccessDenied',
      Expires: time,
      HostId: expect.any(String),
      Message: 'Request has expired',
      RequestId: expect.any(String),
      ServerTime: time,
      'X-Amz-Expires': '3600',
    });
  });

  it('refuses another method with 403 SignatureDoesNotMatch', async () => {
    const url = await presign();
    for (const method of ['GET', 'POST', 'DELETE']) {
      const response = await fetch(url, { method });
      expect(response.status, method).toBe(403);
      expect(element(await response.text(), 'Code'), method).toBe('SignatureDoesNotMatch');
    }
    expect((await fetch(url, { method: 'HEAD' })).status).toBe(403);
  });

  it('refuses another key, another bucket and other signed values with 403 SignatureDoesNotMatch', async () => {
    const url = await presign('uploads/mine');
    const changed = [
      url.replace('uploads/mine', 'uploads/theirs'),
      withParameter(url, 'If-None-Match', undefined),
      withParameter(url, 'X-Amz-Expires', '3601'),
      withParameter(url, 'extra', 'value'),
      withParameter(url, 'X-Amz-Signature', '0'.repeat(64)),
    ];
    for (const other of changed) {
      expect(await put(other), other).toMatchObject(refused(403, 'SignatureDoesNotMatch'));
    }
    expect(await versionsOf('uploads/theirs')).toBe(0);
  });

  it('answers a missing or malformed signature parameter with 400 AuthorizationQueryParametersError', async () => {
    const names = ['Algorithm', 'Credential', 'Signature', 'Date', 'SignedHeaders', 'Expires'];
    const wrong: [string, string | undefined][] = [
      ...names.map((name): [string, undefined] => [`X-Amz-${name}`, undefined]),
      ['X-Amz-Expires', '604801'],
      ['X-Amz-Expires', '-1'],
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1'],
      ['X-Amz-Date', 'yesterday'],
      ['X-Amz-Credential', 'AKIA/20260101/us-east-1/s3'],
      ['X-Amz-Credential', `${aws.operatorCredentials.accessKeyId}/20260101/eu-west-1/s3/aws4_request`],
    ];
    for (const [name, value] of wrong) {
      const answer = await put(withParameter(await presign(), name, value));
      expect(answer, `${name}=${value}`).toMatchObject(refused(400, 'AuthorizationQueryParametersError'));
    }
  });

  it('refuses an Authorization header beside the signature in the query', async () => {
    const answer = await put(await presign(), 'content', { authorization: 'Bearer secret-token' });
    const Message = expect.stringMatching(/^Only one auth mechanism allowed/);
    expect(answer).toMatchObject(refused(400, 'InvalidArgument', { Message }));
    expect(answer.text).not.toContain('secret-token');
  });

  it('refuses an access key that does not exist, and a request without any signature', async () => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' };
    const unknown = await put(await presign(freshKey(), { credentials }));
    expect(unknown).toMatchObject(refused(403, 'InvalidAccessKeyId'));
    expect(await put(`${aws.endpoint}/${bucket}/uploads/free`)).toMatchObject(refused(403, 'AccessDenied'));
  });

  it('may have an unsigned x-amz-content-sha256, whatever it says, but no other unsigned header of S3', async () => {
    for (const hash of ['0'.repeat(64), 'STREAMING-AWS4-HMAC-SHA256-PAYLOAD']) {
      expect((await put(await presign(), 'content', { 'x-amz-content-sha256': hash })).status).toBe(200);
    }
    const HeadersNotSigned = 'x-amz-acl';
    const answer = await put(await presign(), 'content', { [HeadersNotSigned]: 'private' });
    expect(answer).toMatchObject(refused(403, 'AccessDenied', { HeadersNotSigned }));
  });

  it('refuses a wrong digest with what was expected and what came', async () => {
    const send = async (digest: string) => put(await presign(), 'something', { 'content-md5': digest });
    expect(await send('000')).toMatchObject(refused(400, 'InvalidDigest', { 'Content-MD5': '000' }));
    const ExpectedDigest = '09891eb590524e35fc73372cddc5d596';
    expect(await send(Buffer.from(ExpectedDigest, 'hex').toString('base64'))).toMatchObject(
      refused(400, 'BadDigest', { CalculatedDigest: 'Q3uTDbhLgHnC3YBKcZNrXw==', ExpectedDigest }),
    );
  });
});

describe('size of an upload', () => {
  const send = async (lines: readonly string[], url?: string, body = '') =>
    exchange(aws.endpoint, [putHead(url ?? (await presign()), lines), body], {
      until: /<\/Error>|100 Continue/,
    });

  it('refuses 5 GiB and a byte with 400 EntityTooLarge before any byte of it', async () => {
    const answer = await send(['Content-Length: 5368709121']);
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(element(answer, 'Code')).toBe('EntityTooLarge');
    expect(element(answer, 'ProposedSize')).toBe('5368709121');
    expect(element(answer, 'MaxSizeAllowed')).toBe('5368709120');
  });

  it('asks for the body of exactly 5 GiB, and not for that of a request that it refuses', async () => {
    const expecting = 'Expect: 100-continue';
    expect(await send(['Content-Length: 5368709120', expecting])).toMatch(/^HTTP\/1\.1 100 Continue/);
    const url = withParameter(await presign(), 'X-Amz-Signature', '0'.repeat(64));
    expect(await send(['Content-Length: 1000000', expecting], url)).toMatch(/^HTTP\/1\.1 403 /);
  });

  it('answers a PUT without Content-Length with 411 MissingContentLength', async () => {
    const plain = await send(['Connection: close']);
    const chunked = await send(['Transfer-Encoding: chunked'], undefined, '3\r\nabc\r\n0\r\n\r\n');
    for (const answer of [plain, chunked]) {
      expect(answer).toMatch(/^HTTP\/1\.1 411 /);
      expect(element(answer, 'Code')).toBe('MissingContentLength');
    }
  });
});

it('an upload that breaks off leaves nothing behind, and the URL good', async () => {
  const key = freshKey();
  const url = await presign(key);
  await exchange(aws.endpoint, [putHead(url, ['Content-Length: 1000']), 'only a part'], { end: true });
  expect(await versionsOf(key)).toBe(0);
  await expect.poll(incoming).toEqual([]);
  expect((await put(url, 'whole')).status).toBe(200);
  expect(String(await contentOf(key))).toBe('whole');
});

describe('PUTs to one upload URL at the same time', () => {
  it('lets exactly one win, whole', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = freshKey();
      const url = await presign(key);
      const bodies = Array.from({ length: 8 }, () => randomBytes(300_000));
      const answers = await Promise.all(bodies.map((body) => put(url, body)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.toSorted()).toEqual([200, ...Array.from({ length: 7 }, () => 412)]);
      expect((await contentOf(key)).equals(bodies[statuses.indexOf(200)] ?? Buffer.alloc(0))).toBe(true);
      expect(await versionsOf(key)).toBe(1);
    }
  });

  it('lets the one win that ends first, and refuses one that began earlier at its end', async () => {
    const key = freshKey();
    const url = await presign(key);
    const slow = request(url, { method: 'PUT', headers: { 'content-length': '10' } });
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write('slow ');
    await expect.poll(incoming).toHaveLength(1);
    expect((await put(url, 'fast')).status).toBe(200);
    slow.end('again');
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(412);
    expect(String(await contentOf(key))).toBe('fast');
    expect(await incoming()).toEqual([]);
  });
});
