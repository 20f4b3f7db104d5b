import { challengeOf, type HttpResponse } from './support/http.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { test } from './support/test.ts';

/** docs/api.md section 8. A response with a URL is never printed in full: anyone with the URL may use it. */

test('[8.1] [8.2] issues an upload URL and nothing besides', async ({ token, file }) => {
  const response = await requestSync(token, file);
  expect(response.status).toBe(200);
  const body = JSON.parse(response.text) as { data: { upload_url: string } };
  expect(Object.keys(body)).toEqual(['data']);
  expect(Object.keys(body.data)).toEqual(['upload_url']);
  expect(URL.canParse(body.data.upload_url)).toBe(true);
});

test('[8.3] issues a URL for another object every time', async ({ token, file }) => {
  const urls = await Promise.all(Array.from({ length: 4 }, () => requestUploadUrl(token, file)));
  expect(new Set(urls.map((url) => url.path)).size).toBe(4);
});

test.for([
  ['application/json', '{'],
  ['application/octet-stream', '\0'],
] as const)('[8.10] ignores a body of %s: %j', async ([type, body], { token, file }) => {
  const response = await requestSync(token, file, { headers: { 'content-type': type }, body });
  expect(response.status).toBe(200);
});

test('[8.5] [11.3] responds with 404 for no file', async ({ token }) => {
  expectNotFound(await requestSync(token, 'no-such-file'));
});

test('[8.6] [2.1] responds alike for a file of another organisation', async ({ token, fileOfAnother }) => {
  const none = await requestSync(token, 'no-such-file');
  const another = await requestSync(token, fileOfAnother);
  expect([another.status, another.text]).toEqual([404, none.text]);
});

test.for(['..%2F..%2Fvolumes', 'a%00b', 'caf%C3%A9', '%25', '%7BfileId%7D', 'a'.repeat(2000)])(
  '[8.7] responds with 404 for the id %.20s',
  async (id, { token }) => {
    expectNotFound(await requestSync(token, id));
  },
);

test('[8.11] responds with 404 for an empty id', async ({ token }) => {
  const empty = await requestSync(token, '');
  expect([empty.status, empty.text]).toEqual([404, '{"message":"Not Found"}']);
});

test.for(['.', '..', '%2E', '%2e%2e'])(
  '[8.11] responds with 404 for the segment %s, sent as it is',
  async (segment, { token }) => {
    expect((await requestSync(token, segment)).status).toBe(404);
  },
);

test('[8.7] [2.4] finds no file by its id in letters of the other case', async ({ token, file }) => {
  const other = file === file.toUpperCase() ? file.toLowerCase() : file.toUpperCase();
  expectNotFound(await requestSync(token, other));
});

test('[8.7] accepts an id that is percent-encoded (RFC 3986 2.3)', async ({ token, file }) => {
  const encoded = [...Buffer.from(file)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
  expect((await requestSync(token, encoded)).status).toBe(200);
});

test('[8.8] [8.1] [11.4] responds with 409 for a file with syncing not enabled', async ({
  token,
  fileNotEnabled,
}) => {
  const response = await requestSync(token, fileNotEnabled);
  expect(response.status).toBe(409);
  expect(JSON.parse(response.text)).toEqual({
    error: 'sync_not_enabled',
    error_description: expect.stringMatching(/.{10,}/),
  });
});

test('[8.4] [6.11] [11.2] rejects a token without sync:create', async ({ readerToken, file }) => {
  const response = await requestSync(readerToken, file);
  expect(response.status).toBe(403);
  expect(JSON.parse(response.text)).toEqual({
    error: 'insufficient_scope',
    error_description: expect.stringContaining('sync:create'),
  });
  expect(challengeOf(response)).toMatch(/^Bearer .*error="insufficient_scope".*scope="sync:create"/);
});

test('[8.9] checks the scope before the file', async ({ readerToken }) => {
  expect((await requestSync(readerToken, 'no-such-file')).status).toBe(403);
});

function expectNotFound(response: HttpResponse): void {
  expect(response.status).toBe(404);
  expect(JSON.parse(response.text)).toEqual({
    error: 'not_found',
    error_description: expect.stringMatching(/.{10,}/),
  });
}
