import { presignedUrl as presign } from 'cloud-assembly-emulator/test/presigned';
import { recordProducedUrl } from '../support/produced-secrets.ts';
import { bearer, exchange, exchangeRaw, type HttpResponse, statusOf } from './support/http.ts';
import { requestUploadUrl } from './support/sync-request.ts';
import { type Fixtures, test } from './support/test.ts';
import { storageErrorCode, UploadUrl } from './support/upload-url.ts';

/**
 * docs/api.md section 9: rejections by the storage. Most tests end with a successful PUT. It proves that the
 * rejected request did not store an object and did not use up the URL.
 */

const came = (response: HttpResponse) => `${response.status} ${storageErrorCode(response)}`;
/** Returns the same for a raw response. */
const outcomeOf = (received: string) => `${statusOf(received)} ${/<Code>(\w+)/.exec(received)?.[1]}`;

async function expectStillGood(uploadUrl: UploadUrl): Promise<void> {
  expect((await uploadUrl.put('still good')).status).toBe(200);
}

const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nbytes\r\n--x--\r\n';

test.for([
  ['GET', {}],
  ['HEAD', {}],
  ['DELETE', {}],
  ['POST', { headers: { 'content-type': 'multipart/form-data; boundary=x' }, body: form }],
] as const)('[9.6] [14.6] rejects %s', async ([method, more], { uploadUrl }) => {
  const { status } = await uploadUrl.send({ method, ...more });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(status).toBeLessThan(500);
  await expectStillGood(uploadUrl);
});

test.for([
  ['X-Amz-Signature', '0'.repeat(64)],
  ['X-Amz-Expires', '3599'],
  ['If-None-Match', '"other"'],
  ['If-None-Match', null],
  ['x-id', 'GetObject'],
  ['x-amz-tagging', 'a=b'],
  // These start and continue a multipart upload.
  ['uploads', ''],
  ['partNumber', '2'],
] as const)('[9.7] [9.4] [14.6] rejects a URL with another %s', async ([name, value], { uploadUrl }) => {
  expect(came(await uploadUrl.with(name, value).put('x'))).toBe('403 SignatureDoesNotMatch');
  await expectStillGood(uploadUrl);
});

test('[9.7] rejects a URL that was percent-decoded', async ({ uploadUrl }) => {
  const decoded = uploadUrl.requestTarget().replaceAll('%2B', '+');
  const start = `PUT ${decoded} HTTP/1.1\r\nHost: ${uploadUrl.host}\r\nConnection: close\r\n`;
  const received = await exchangeRaw(uploadUrl.origin, `${start}Content-Length: 0\r\n\r\n`);
  expect(outcomeOf(received)).toBe('400 InvalidToken');
  await expectStillGood(uploadUrl);
});

test('[9.8] rejects the signature on another object', async ({ token, file, uploadUrl }) => {
  const other = await requestUploadUrl(token, file);
  expect(came(await uploadUrl.withPath(other.path).put('x'))).toBe('403 SignatureDoesNotMatch');
  await expectStillGood(other);
});

test.for(['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'])(
  '[9.9] rejects a URL without X-Amz-%s',
  async (name, { uploadUrl }) => {
    const response = await uploadUrl.with(`X-Amz-${name}`, null).put('x');
    expect(came(response)).toBe('400 AuthorizationQueryParametersError');
  },
);

test('[9.9] rejects a URL without its session', async ({ uploadUrl }) => {
  expect((await uploadUrl.with('X-Amz-Security-Token', null).put('x')).status).toBe(403);
});

test('[9.9] rejects a URL without any parameter', async ({ uploadUrl }) => {
  const bare = await exchange(uploadUrl.origin, { method: 'PUT', path: uploadUrl.path, body: 'x' });
  expect(came(bare)).toBe('403 AccessDenied');
});

test.for(['x-amz-acl', 'x-amz-meta-owner', 'x-amz-tagging', 'x-amz-storage-class'])(
  '[9.10] rejects %s, which was not signed',
  async (name, { uploadUrl }) => {
    expect(came(await uploadUrl.put('x', { [name]: 'public-read' }))).toBe('403 AccessDenied');
    await expectStillGood(uploadUrl);
  },
);

test.for([
  ['a Content-Range', { 'content-range': 'bytes 0-0/2' }, '501 NotImplemented'],
  ['a malformed Content-MD5', { 'content-md5': 'abc' }, '400 InvalidDigest'],
  ['a Content-MD5 of other bytes', { 'content-md5': 'CYketZBSTjX8czcs3cXVlg==' }, '400 BadDigest'],
] as const)('[9.19] [9.11] rejects a PUT with %s', async ([, headers, rejected], { uploadUrl }) => {
  expect(came(await uploadUrl.put('x', headers))).toBe(rejected);
  await expectStillGood(uploadUrl);
});

test('[9.12] rejects an access token, which belongs to the API alone', async ({ token, uploadUrl }) => {
  const response = await uploadUrl.put('x', bearer(token));
  expect(came(response)).toBe('400 InvalidArgument');
  await expectStillGood(uploadUrl);
});

test.for([
  ['without a length', [], '411 MissingContentLength'],
  ['in chunks', ['Transfer-Encoding: chunked', 'Expect: 100-continue'], '501 NotImplemented'],
  ['above 5 GiB unsent', ['Content-Length: 5368709121', 'Expect: 100-continue'], '400 EntityTooLarge'],
] as const)('[9.13] [12.1] rejects a PUT %s', async ([, headers, rejectedPut], { uploadUrl }) => {
  const start = [`PUT ${uploadUrl.requestTarget()} HTTP/1.1`, `Host: ${uploadUrl.host}`, 'Connection: close'];
  const received = await exchangeRaw(uploadUrl.origin, `${[...start, ...headers].join('\r\n')}\r\n\r\n`);
  expect(outcomeOf(received)).toBe(rejectedPut);
  await expectStillGood(uploadUrl);
});

/** The operator signed it for another time, so that the test need not wait for an hour. */
function signed(
  { awsConfig, outputs }: Fixtures['operator'],
  { path, origin: endpoint }: UploadUrl,
  secondsAgo: number,
  expiresIn: number,
): Promise<UploadUrl> {
  const { credentials = expect.fail('a local run has credentials') } = awsConfig;
  const bucket = outputs.BucketName;
  const key = path.slice(`/${bucket}/`.length);
  const signingDate = new Date(Date.now() - secondsAgo * 1000);
  return presign({ endpoint, credentials, bucket, key, signingDate, expiresIn }).then((url) => {
    recordProducedUrl(url);
    return new UploadUrl(url);
  });
}

test('[9.16] [12.2] rejects a URL after its hour', async ({ operator, uploadUrl }) => {
  const expired = await (await signed(operator, uploadUrl, 3601, 3600)).put('x');
  expect(came(expired)).toBe('403 AccessDenied');
  expect(expired.text).toContain('Request has expired');
});

test('[9.16] accepts a URL in the last minute of its hour', async ({ operator, uploadUrl }) => {
  expect((await (await signed(operator, uploadUrl, 3540, 3600)).put('x')).status).toBe(200);
});
