import { createHash, randomBytes } from 'node:crypto';
import { cutShort } from './support/http.ts';
import { readStored } from './support/storage.ts';
import { test } from './support/test.ts';
import { storageErrorCode } from './support/upload-url.ts';

/** docs/api.md section 9: successful uploads. Amazon S3 API, PutObject. */

test('[9.1] [9.10] accepts raw bytes, and responds without a body', async ({ uploadUrl }) => {
  const bytes = randomBytes(1000);
  const response = await uploadUrl.put(bytes);
  expect([response.status, response.text]).toEqual([200, '']);
  expect(response.headers.etag).toBe(`"${createHash('md5').update(bytes).digest('hex')}"`);
});

test('[9.2] stores the sent bytes unchanged', async ({ uploadUrl, operator }) => {
  const bytes = randomBytes(3 * 1024 * 1024 + 1);
  const response = await uploadUrl.put(bytes);
  expect(response.status).toBe(200);
  const stored = await readStored(operator, uploadUrl);
  expect(sha256(stored)).toBe(sha256(bytes));
});

test('[9.3] accepts a file of 0 bytes', async ({ uploadUrl }) => {
  const response = await uploadUrl.put('', { 'content-length': '0' });
  expect([response.status, response.text]).toEqual([200, '']);
  expect((await uploadUrl.put('more')).status).toBe(412);
});

test.for(['second', 'first'])(
  '[9.4] [9.2] rejects a second PUT, of "%s"',
  async (second, { uploadUrl, operator }) => {
    expect((await uploadUrl.put('first')).status).toBe(200);
    const response = await uploadUrl.put(second);
    expect([response.status, storageErrorCode(response)]).toEqual([412, 'PreconditionFailed']);
    expect(String(await readStored(operator, uploadUrl))).toBe('first');
  },
);

test('[9.5] accepts exactly one of four PUTs at the same time', async ({ uploadUrl }) => {
  const bodies = Array.from({ length: 4 }, (_, index) => Buffer.alloc(300_000, index));
  const responses = await Promise.all(bodies.map((body) => uploadUrl.put(body)));
  const statuses = responses.map(({ status }) => status).sort();
  expect(statuses[0]).toBe(200);
  // Amazon S3, Conditional writes: 412, or 409 ConditionalRequestConflict during another write.
  expect(statuses.slice(1).every((status) => status === 412 || status === 409)).toBe(true);
});

test.for(['application/octet-stream', 'text/csv; charset=utf-8', 'application/x-www-form-urlencoded'])(
  '[9.11] takes a PUT of type %s',
  async (type, { uploadUrl }) => {
    expect((await uploadUrl.put('a,b\n1,2\n', { 'content-type': type })).status).toBe(200);
  },
);

test('[9.10] ignores x-amz-content-sha256: UNSIGNED-PAYLOAD', async ({ uploadUrl }) => {
  const headers = { 'x-amz-content-sha256': 'UNSIGNED-PAYLOAD' };
  expect((await uploadUrl.put('a', headers)).status).toBe(200);
});

test('[9.7] accepts a URL with its parameters in another order', async ({ uploadUrl }) => {
  expect((await uploadUrl.reversed().put('a')).status).toBe(200);
});

test('[9.17] stores a form as it is, and does not unpack it', async ({ uploadUrl, operator }) => {
  const form =
    '--b\r\ncontent-disposition: form-data; name="file"; filename="orders.csv"\r\n\r\na,b\r\n--b--\r\n';
  const response = await uploadUrl.put(form, { 'content-type': 'multipart/form-data; boundary=b' });
  expect(response.status).toBe(200);
  expect(String(await readStored(operator, uploadUrl))).toBe(form);
});

test('[9.10] accepts a PUT that waits for 100 Continue, as curl does', async ({ uploadUrl }) => {
  const headers = { expect: '100-continue', 'content-length': '2000' };
  const response = await uploadUrl.put(randomBytes(2000), headers);
  expect(response.status).toBe(200);
});

test('[9.14] accepts a whole PUT after one that was cut', async ({ uploadUrl }) => {
  const head = `PUT ${uploadUrl.requestTarget()} HTTP/1.1\r\nHost: ${uploadUrl.host}\r\nContent-Length: 100000\r\n\r\n`;
  await cutShort(uploadUrl.origin, head + 'x'.repeat(50_000));
  expect((await uploadUrl.put('whole')).status).toBe(200);
});

function sha256(bytes: Buffer): string {
  return createHash('sha256').update(bytes).digest('hex');
}
