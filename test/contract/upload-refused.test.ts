import { uploadUrl as presign } from 'cloud-assembly-emulator/test/presigned';
import { expect } from 'vitest';
import { recordProducedUrl } from '../support/produced-secrets.ts';
import { type Answer, exchange, exchangeRaw, statusOf } from './support/http.ts';
import { requestUploadUrl } from './support/sync-request.ts';
import { api, culprits, test } from './support/test.ts';
import { storageErrorCode, UploadUrl } from './support/upload-url.ts';

/**
 * docs/api.md section 9: what the storage refuses. Most tests end with a PUT that works. So the refused request stored
 * nothing and did not use up the URL.
 */

const came = (answer: Answer) => `${answer.status} ${storageErrorCode(answer)}`;

async function expectStillGood(uploadUrl: UploadUrl): Promise<void> {
  expect((await uploadUrl.put('still good')).status).toBe(200);
}

test('[9.6] [14.6] refuses every method but PUT, a form by POST too', async ({ uploadUrl }) => {
  const form = '--x\r\nContent-Disposition: form-data; name="file"; filename="f"\r\n\r\nbytes\r\n--x--\r\n';
  const headers = { 'content-type': 'multipart/form-data; boundary=x' };
  const answers = [await uploadUrl.send({ method: 'POST', headers, body: form })];
  for (const method of ['POST', 'GET', 'HEAD', 'DELETE', 'PATCH']) {
    answers.push(await uploadUrl.send({ method, ...(method === 'POST' && { body: 'x' }) }));
  }
  const statuses = answers.map(({ status }) => status);
  expect(statuses.filter((status) => status < 400 || status >= 500)).toEqual([]);
  await expectStillGood(uploadUrl);
});

test('[9.7] [9.4] [14.6] refuses a URL of which anything is changed', async ({ uploadUrl }) => {
  const changes: readonly (readonly [string, string | null])[] = [
    ['X-Amz-Signature', '0'.repeat(64)],
    ['X-Amz-Expires', '3599'],
    ['If-None-Match', '"other"'],
    ['If-None-Match', null],
    ['x-id', 'GetObject'],
    ['x-amz-tagging', 'a=b'],
    // These start and continue a multipart upload.
    ['uploads', ''],
    ['partNumber', '2'],
  ];
  const ask = async ([name, value]: (typeof changes)[number]) =>
    came(await uploadUrl.with(name, value).put('x'));
  expect(await culprits(changes, '403 SignatureDoesNotMatch', ask)).toEqual([]);
  await expectStillGood(uploadUrl);
});

test('[9.8] refuses the signature of one URL on another object', async ({ token, file, uploadUrl }) => {
  const other = await requestUploadUrl(api, token, file);
  const paths = [other.path, `${uploadUrl.path}x`, `${uploadUrl.path}/`, uploadUrl.path.slice(0, -1)];
  const ask = async (path: string) => String((await uploadUrl.withPath(path).put('x')).status);
  expect(await culprits(paths, '403', ask)).toEqual([]);
  expect(came(await uploadUrl.withPath(other.path).put('x'))).toBe('403 SignatureDoesNotMatch');
  await expectStillGood(other);
});

test('[9.9] refuses a URL without a parameter of its signature, its session, or all of them', async ({
  uploadUrl,
}) => {
  const names = ['Algorithm', 'Credential', 'Date', 'Expires', 'SignedHeaders', 'Signature'];
  const ask = async (name: string) => came(await uploadUrl.with(`X-Amz-${name}`, null).put('x'));
  expect(await culprits(names, '400 AuthorizationQueryParametersError', ask)).toEqual([]);
  expect((await uploadUrl.with('X-Amz-Security-Token', null).put('x')).status).toBe(403);
  const bare = await exchange(uploadUrl.origin, { method: 'PUT', path: uploadUrl.path, body: 'x' });
  expect(came(bare)).toBe('403 AccessDenied');
});

test('[9.10] refuses an x-amz-* header that was not signed', async ({ uploadUrl }) => {
  const names = ['x-amz-acl', 'x-amz-meta-owner', 'x-amz-tagging', 'x-amz-storage-class'];
  const ask = async (name: string) => came(await uploadUrl.put('x', { [name]: 'public-read' }));
  expect(await culprits(names, '403 AccessDenied', ask)).toEqual([]);
  await expectStillGood(uploadUrl);
});

test('[9.12] refuses an access token, which belongs to the API alone', async ({ token, uploadUrl }) => {
  const answer = await uploadUrl.put('x', { authorization: `Bearer ${token}` });
  expect(came(answer)).toBe('400 InvalidArgument');
  await expectStillGood(uploadUrl);
});

test('[9.13] [12.1] refuses a PUT that does not say its length, or one above 5 GiB before it is sent', async ({
  uploadUrl,
}) => {
  const ask = async (...headers: readonly string[]) => {
    const lines = [
      `PUT ${uploadUrl.requestTarget()} HTTP/1.1`,
      `Host: ${uploadUrl.host}`,
      'Connection: close',
    ];
    const received = await exchangeRaw(uploadUrl.origin, `${[...lines, ...headers].join('\r\n')}\r\n\r\n`);
    return `${statusOf(received)} ${/<Code>(\w+)/.exec(received)?.[1]}`;
  };
  expect(await ask()).toBe('411 MissingContentLength');
  expect(await ask('Content-Length: 5368709121', 'Expect: 100-continue')).toBe('400 EntityTooLarge');
  await expectStillGood(uploadUrl);
});

test('[9.16] [12.2] refuses a URL after its hour, even one signed for longer, and takes it in the last minute', async ({
  operator,
  uploadUrl,
}) => {
  const endpoint = uploadUrl.origin;
  const { credentials = expect.fail('a local run has credentials') } = operator.awsConfig;
  const bucket = operator.outputs.BucketName;
  const key = uploadUrl.path.slice(`/${bucket}/`.length);
  // Signed by the operator for another time: nobody waits for an hour.
  const ask = async (secondsAgo: number, expiresIn: number) => {
    const signingDate = new Date(Date.now() - secondsAgo * 1000);
    const url = await presign({ endpoint, credentials, bucket, key, signingDate, expiresIn });
    recordProducedUrl(url);
    return new UploadUrl(url).put('x');
  };
  const expired = await ask(3601, 3600);
  expect([came(expired), expired.text]).toEqual([
    '403 AccessDenied',
    expect.stringContaining('Request has expired'),
  ]);
  expect(came(await ask(3605, 7200))).toBe('403 AccessDenied');
  expect((await ask(3540, 3600)).status).toBe(200);
});
