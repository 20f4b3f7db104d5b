import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir } from 'node:fs/promises';
import { type IncomingMessage, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { GetObjectCommand, ListObjectVersionsCommand, S3Client } from '@aws-sdk/client-s3';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';
import { element, uploadUrl, withParameter } from '../support/presigned.ts';

const bucket = 'test-bucket';
const resources = [resource('Bucket', 'AWS::S3::Bucket', { VersioningConfiguration: { Status: 'Enabled' } })];

let runs: AwsRuns;
let aws: AwsServices;
let now = () => new Date();
let s3: S3Client;
let counter = 0;

beforeAll(async () => {
  runs = await prepareRuns(resources);
  aws = await runs.start({ now: () => now() });
  s3 = new S3Client(clientFor(aws));
});
afterAll(async () => {
  s3.destroy();
  await runs.end();
});

function freshKey(): string {
  counter += 1;
  return `uploads/${counter}`;
}

function presign(key = freshKey(), options: Partial<Parameters<typeof uploadUrl>[0]> = {}): Promise<string> {
  return uploadUrl({ endpoint: aws.endpoint, bucket, key, credentials: aws.operatorCredentials, ...options });
}

async function put(url: string, body: string | Buffer = 'content', headers: Record<string, string> = {}) {
  const response = await fetch(url, {
    method: 'PUT',
    body: typeof body === 'string' ? body : new Uint8Array(body),
    headers,
  });
  return { status: response.status, headers: response.headers, text: await response.text() };
}

async function contentOf(key: string): Promise<string> {
  const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
  return (await Body?.transformToString()) ?? '';
}

/** Sends bytes as they are and reads until the other side ends the connection. */
function sendRaw(head: string, end = false): Promise<string> {
  const { hostname, port } = new URL(aws.endpoint);
  return new Promise((resolve, reject) => {
    let received = '';
    const socket = connect(Number(port), hostname, () => {
      if (end) {
        socket.end(head);
      } else {
        socket.write(head);
      }
    });
    socket.on('data', (data) => {
      received += data.toString('latin1');
      if (/<\/Error>/.test(received)) {
        socket.destroy();
      }
    });
    socket.on('close', () => resolve(received));
    socket.on('error', reject);
  });
}

function headOf(url: string, lines: readonly string[]): string {
  const { pathname, search, host } = new URL(url);
  return [`PUT ${pathname}${search} HTTP/1.1`, `Host: ${host}`, ...lines, '', ''].join('\r\n');
}

async function versionsOf(key: string): Promise<number> {
  const { Versions = [] } = await s3.send(new ListObjectVersionsCommand({ Bucket: bucket, Prefix: key }));
  return Versions.filter(({ Key }) => Key === key).length;
}

describe('PUT to an upload URL', () => {
  it('answers the first PUT with 200, an empty body and the ETag', async () => {
    const key = freshKey();
    const answer = await put(await presign(key), 'first');
    expect(answer.status).toBe(200);
    expect(answer.text).toBe('');
    expect(answer.headers.get('etag')).toBe(`"${createHash('md5').update('first').digest('hex')}"`);
    expect(answer.headers.get('content-length')).toBe('0');
    expect(answer.headers.get('x-amz-server-side-encryption')).toBe('AES256');
    expect(answer.headers.get('x-amz-version-id')).toMatch(/^[\w.]{32}$/);
    expect(await contentOf(key)).toBe('first');
  });

  it('answers the second PUT with 412 PreconditionFailed and keeps the first content', async () => {
    const key = freshKey();
    const url = await presign(key);
    await put(url, 'first');
    const again = await put(url, 'second');
    expect(again.status).toBe(412);
    expect(again.headers.get('content-type')).toBe('application/xml');
    expect(element(again.text, 'Code')).toBe('PreconditionFailed');
    expect(element(again.text, 'Condition')).toBe('If-None-Match');
    expect(element(again.text, 'RequestId')).toBe(again.headers.get('x-amz-request-id'));
    expect(await contentOf(key)).toBe('first');
    expect(await versionsOf(key)).toBe(1);
  });

  it('refuses it after the hour with 403 AccessDenied, Request has expired', async () => {
    const url = await presign();
    const issued = Date.now();
    now = () => new Date(issued + 3_602_000);
    const answer = await put(url);
    now = () => new Date();
    expect(answer.status).toBe(403);
    expect(element(answer.text, 'Code')).toBe('AccessDenied');
    expect(element(answer.text, 'Message')).toBe('Request has expired');
    expect(element(answer.text, 'X-Amz-Expires')).toBe('3600');
    expect(element(answer.text, 'Expires')).toMatch(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/);
    expect(element(answer.text, 'ServerTime')).toBeDefined();
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
      const answer = await put(other);
      expect(answer.status, other).toBe(403);
      expect(element(answer.text, 'Code'), other).toBe('SignatureDoesNotMatch');
    }
    expect(await versionsOf('uploads/theirs')).toBe(0);
  });

  it('answers a missing or malformed signature parameter with 400 AuthorizationQueryParametersError', async () => {
    const names = ['Algorithm', 'Credential', 'Signature', 'Date', 'SignedHeaders', 'Expires'];
    const wrong: [string, string | undefined][] = [
      ...names.map((name): [string, undefined] => [`X-Amz-${name}`, undefined]),
      ['X-Amz-Expires', '604801'],
      ['X-Amz-Expires', '-1'],
      ['X-Amz-Expires', 'soon'],
      ['X-Amz-Algorithm', 'AWS4-HMAC-SHA1'],
      ['X-Amz-Date', 'yesterday'],
      ['X-Amz-Credential', 'AKIA/20260101/us-east-1/s3'],
      ['X-Amz-Credential', `${aws.operatorCredentials.accessKeyId}/20260101/eu-west-1/s3/aws4_request`],
      ['X-Amz-Credential', `${aws.operatorCredentials.accessKeyId}/20260101/us-east-1/sqs/aws4_request`],
    ];
    for (const [name, value] of wrong) {
      const answer = await put(withParameter(await presign(), name, value));
      expect(answer.status, `${name}=${value}`).toBe(400);
      expect(element(answer.text, 'Code'), `${name}=${value}`).toBe('AuthorizationQueryParametersError');
    }
  });

  it('refuses an Authorization header beside the signature in the query', async () => {
    const answer = await put(await presign(), 'content', { authorization: 'Bearer secret-token' });
    expect(answer.status).toBe(400);
    expect(element(answer.text, 'Code')).toBe('InvalidArgument');
    expect(element(answer.text, 'Message')).toMatch(/^Only one auth mechanism allowed/);
    expect(answer.text).not.toContain('secret-token');
  });

  it('refuses an access key that does not exist with 403 InvalidAccessKeyId', async () => {
    const credentials = { accessKeyId: 'AKIANOBODY', secretAccessKey: 'x' };
    const answer = await put(await presign(freshKey(), { credentials }));
    expect(answer.status).toBe(403);
    expect(element(answer.text, 'Code')).toBe('InvalidAccessKeyId');
  });

  it('answers a request without any signature with 403 AccessDenied', async () => {
    const answer = await put(`${aws.endpoint}/${bucket}/uploads/free`);
    expect(answer.status).toBe(403);
    expect(element(answer.text, 'Code')).toBe('AccessDenied');
  });
});

describe('size of an upload', () => {
  it('refuses 5 GiB and a byte with 400 EntityTooLarge before any byte of it', async () => {
    const answer = await sendRaw(headOf(await presign(), ['Content-Length: 5368709121']));
    expect(answer).toMatch(/^HTTP\/1\.1 400 /);
    expect(element(answer, 'Code')).toBe('EntityTooLarge');
    expect(element(answer, 'ProposedSize')).toBe('5368709121');
    expect(element(answer, 'MaxSizeAllowed')).toBe('5368709120');
  });

  it('asks for the body of exactly 5 GiB', async () => {
    const { hostname, port } = new URL(aws.endpoint);
    const head = headOf(await presign(), ['Content-Length: 5368709120', 'Expect: 100-continue']);
    const line = await new Promise<string>((resolve, reject) => {
      const socket = connect(Number(port), hostname, () => socket.write(head));
      socket.once('data', (data) => {
        resolve(data.toString('latin1'));
        socket.destroy();
      });
      socket.on('error', reject);
    });
    expect(line).toMatch(/^HTTP\/1\.1 100 Continue/);
  });

  it('does not ask for the body of a request that it refuses', async () => {
    const url = withParameter(await presign(), 'X-Amz-Signature', '0'.repeat(64));
    const answer = await sendRaw(headOf(url, ['Content-Length: 1000000', 'Expect: 100-continue']));
    expect(answer).toMatch(/^HTTP\/1\.1 403 /);
    expect(answer).not.toContain('100 Continue');
  });

  it('answers a PUT without Content-Length with 411 MissingContentLength', async () => {
    const plain = await sendRaw(headOf(await presign(), ['Connection: close']));
    const chunked = await sendRaw(
      `${headOf(await presign(), ['Transfer-Encoding: chunked'])}3\r\nabc\r\n0\r\n\r\n`,
    );
    for (const answer of [plain, chunked]) {
      expect(answer).toMatch(/^HTTP\/1\.1 411 /);
      expect(element(answer, 'Code')).toBe('MissingContentLength');
    }
  });
});

describe('an upload that breaks off', () => {
  it('leaves nothing behind, and the URL good', async () => {
    const key = freshKey();
    const url = await presign(key);
    await sendRaw(`${headOf(url, ['Content-Length: 1000'])}only a part`, true).catch(() => '');
    expect(await versionsOf(key)).toBe(0);
    await expect.poll(() => readdir(join(runs.stateDirectory, 's3', bucket, 'incoming'))).toEqual([]);
    expect((await put(url, 'whole')).status).toBe(200);
    expect(await contentOf(key)).toBe('whole');
  });
});

describe('PUTs to one upload URL at the same time', () => {
  it('lets exactly one win, whole', async () => {
    for (let round = 0; round < 5; round += 1) {
      const key = freshKey();
      const url = await presign(key);
      const bodies = Array.from({ length: 8 }, () => randomBytes(300_000));
      const answers = await Promise.all(bodies.map((body) => put(url, body)));
      const statuses = answers.map(({ status }) => status);
      expect(statuses.filter((status) => status === 200)).toHaveLength(1);
      expect(statuses.filter((status) => status === 412 || status === 409)).toHaveLength(7);
      const { Body } = await s3.send(new GetObjectCommand({ Bucket: bucket, Key: key }));
      const stored = Buffer.from((await Body?.transformToByteArray()) ?? []);
      expect(stored.equals(bodies[statuses.indexOf(200)] ?? Buffer.alloc(0))).toBe(true);
      expect(await versionsOf(key)).toBe(1);
    }
  });

  it('lets the one win that ends first, and refuses one that began earlier at its end', async () => {
    const key = freshKey();
    const url = await presign(key);
    const slow = request(url, { method: 'PUT', headers: { 'content-length': '10' } });
    const answered = once(slow, 'response') as Promise<[IncomingMessage]>;
    slow.write('slow ');
    await expect.poll(() => readdir(join(runs.stateDirectory, 's3', bucket, 'incoming'))).toHaveLength(1);
    expect((await put(url, 'fast')).status).toBe(200);
    slow.end('again');
    const [{ statusCode }] = await answered;
    expect(statusCode).toBe(412);
    expect(await contentOf(key)).toBe('fast');
    expect(await readdir(join(runs.stateDirectory, 's3', bucket, 'incoming'))).toEqual([]);
  });
});
