import { expect } from 'vitest';
import { exchange, exchangeRaw, statusOf } from './support/http.ts';
import { presignAsOperator } from './support/storage.ts';
import { requestUploadUrl } from './support/sync-request.ts';
import { api, test } from './support/test.ts';
import { storageErrorCode } from './support/upload-url.ts';

/**
 * docs/api.md section 9: what the storage refuses. Every case ends with a PUT that works, unless the
 * URL is spent or stale: the refusal was of the request and nothing was stored.
 */

test.for(['POST', 'GET', 'HEAD', 'DELETE', 'PATCH'])('[9.6] refuses %s', async (method, { uploadUrl }) => {
  const answer = await uploadUrl.send({ method, ...(method === 'POST' ? { body: 'x' } : {}) });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect(answer.status).toBeLessThan(500);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test('[9.6] [14.6] refuses a form upload by POST', async ({ uploadUrl }) => {
  const body = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nbytes\r\n--x--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answer = await uploadUrl.send({ method: 'POST', headers, body });
  expect(answer.status).toBeGreaterThanOrEqual(400);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test.for([
  ['signature', 'X-Amz-Signature', '0'.repeat(64)],
  ['lifetime', 'X-Amz-Expires', '3599'],
  ['condition', 'If-None-Match', '"other"'],
  ['added parameter', 'x-id', 'GetObject'],
  ['added tagging', 'x-amz-tagging', 'a=b'],
] as const)('[9.7] refuses a URL with another %s', async ([, name, value], { uploadUrl }) => {
  const answer = await uploadUrl.with(name, value).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test.for([
  ['starts', 'uploads', ''],
  ['continues', 'partNumber', '2'],
] as const)('[14.6] refuses a URL that %s a multipart upload', async ([, name, value], { uploadUrl }) => {
  const answer = await uploadUrl.with(name, value).put('part');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
});

test('[9.7] [9.4] refuses a URL without its condition', async ({ uploadUrl }) => {
  const answer = await uploadUrl.with('If-None-Match', null).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
});

test('[9.8] refuses the signature of one URL on the object of another', async ({
  token,
  file,
  uploadUrl,
}) => {
  const other = await requestUploadUrl(api, token, file);
  const answer = await uploadUrl.withPath(other.path).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'SignatureDoesNotMatch']);
  expect((await other.put('still good')).status).toBe(200);
});

test('[9.8] refuses a path that only resembles the object', async ({ uploadUrl }) => {
  for (const path of [`${uploadUrl.path}x`, `${uploadUrl.path}/`, uploadUrl.path.slice(0, -1)]) {
    expect((await uploadUrl.withPath(path).put('x')).status).toBe(403);
  }
});

test.for([
  'X-Amz-Algorithm',
  'X-Amz-Credential',
  'X-Amz-Date',
  'X-Amz-Expires',
  'X-Amz-SignedHeaders',
  'X-Amz-Signature',
])('[9.9] refuses a URL without %s', async (name, { uploadUrl }) => {
  const answer = await uploadUrl.with(name, null).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([400, 'AuthorizationQueryParametersError']);
});

test('[9.9] refuses a URL without its session', async ({ uploadUrl }) => {
  const answer = await uploadUrl.with('X-Amz-Security-Token', null).put('x');
  expect(answer.status).toBe(403);
});

test('[9.9] refuses the bare address of the object', async ({ uploadUrl }) => {
  const answer = await exchange(uploadUrl.origin, { method: 'PUT', path: uploadUrl.path, body: 'x' });
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'AccessDenied']);
});

test.for(['x-amz-acl', 'x-amz-meta-owner', 'x-amz-tagging', 'x-amz-storage-class'])(
  '[9.10] refuses an added header %s',
  async (name, { uploadUrl }) => {
    const answer = await uploadUrl.put('x', { [name]: 'public-read' });
    expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'AccessDenied']);
    expect((await uploadUrl.put('still good')).status).toBe(200);
  },
);

test('[9.12] refuses an access token, which belongs to the API alone', async ({ token, uploadUrl }) => {
  const answer = await uploadUrl.put('x', { authorization: `Bearer ${token}` });
  expect([answer.status, storageErrorCode(answer)]).toEqual([400, 'InvalidArgument']);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test('[9.13] refuses a PUT that does not say its length', async ({ uploadUrl }) => {
  const head = `PUT ${uploadUrl.requestTarget()} HTTP/1.1\r\nHost: ${uploadUrl.host}\r\nConnection: close\r\n\r\n`;
  const received = await exchangeRaw(uploadUrl.origin, head);
  expect(statusOf(received)).toBe(411);
  expect(received.includes('MissingContentLength')).toBe(true);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test('[12.1] refuses a file of more than 5 GiB before it is sent', async ({ uploadUrl }) => {
  const head = [
    `PUT ${uploadUrl.requestTarget()} HTTP/1.1`,
    `Host: ${uploadUrl.host}`,
    'Content-Length: 5368709121',
    'Expect: 100-continue',
    'Connection: close',
  ];
  const received = await exchangeRaw(uploadUrl.origin, `${head.join('\r\n')}\r\n\r\n`);
  expect(statusOf(received)).toBe(400);
  expect(received.includes('EntityTooLarge')).toBe(true);
  expect((await uploadUrl.put('still good')).status).toBe(200);
});

test('[9.16] [12.2] refuses a URL after its hour', async ({ operator, uploadUrl }) => {
  const issued = new Date(Date.now() - 3_601_000);
  const answer = await (await presignAsOperator(operator, uploadUrl.path, issued, 3600)).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'AccessDenied']);
  expect(answer.text).toContain('Request has expired');
});

test('[12.2] refuses a signature older than an hour, even one that claims a longer life', async ({
  operator,
  uploadUrl,
}) => {
  const issued = new Date(Date.now() - 3_605_000);
  const answer = await (await presignAsOperator(operator, uploadUrl.path, issued, 7200)).put('x');
  expect([answer.status, storageErrorCode(answer)]).toEqual([403, 'AccessDenied']);
});

test('[12.2] takes a URL in the last minute of its hour', async ({ operator, uploadUrl }) => {
  const issued = new Date(Date.now() - 3_540_000);
  const answer = await (await presignAsOperator(operator, uploadUrl.path, issued, 3600)).put('x');
  expect(answer.status).toBe(200);
});
