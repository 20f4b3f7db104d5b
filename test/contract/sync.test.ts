import { expect } from 'vitest';
import { patientFetch } from '../support/throttled.ts';
import { type Answer, challengeOf } from './support/http.ts';
import { requestSync, requestUploadUrl } from './support/sync-request.ts';
import { api, culprits, test } from './support/test.ts';

/** docs/api.md section 8. Answers with a URL are never shown whole: whoever has one may use it. */

test('[8.1] [8.2] issues an upload URL and nothing besides', async ({ token, file }) => {
  const answer = await requestSync(api, token, file);
  expect(answer.status).toBe(200);
  const body = JSON.parse(answer.text) as { data: { upload_url: string } };
  expect(Object.keys(body)).toEqual(['data']);
  expect(Object.keys(body.data)).toEqual(['upload_url']);
  expect(URL.canParse(body.data.upload_url)).toBe(true);
});

test('[8.3] issues a URL for another object every time', async ({ token, file }) => {
  const urls = await Promise.all(Array.from({ length: 4 }, () => requestUploadUrl(api, token, file)));
  expect(new Set(urls.map((url) => url.path)).size).toBe(4);
});

test('[8.10] ignores a body', async ({ token, file }) => {
  const bodies = [
    ['application/json', '{"upload_url":"https://example.com"}'],
    ['application/json', '{'],
    ['application/octet-stream', Buffer.from([0, 0xff, 1])],
  ] as const;
  const ask = async ([type, body]: (typeof bodies)[number]) =>
    String((await requestSync(api, token, file, { headers: { 'content-type': type }, body })).status);
  expect(await culprits(bodies, '200', ask)).toEqual([]);
});

test('[8.5] [8.6] [2.1] [11.3] answers 404 for no file, and for one of another organisation alike', async ({
  token,
  fileOfAnother,
}) => {
  const none = await requestSync(api, token, 'no-such-file');
  expectNotFound(none);
  const another = await requestSync(api, token, fileOfAnother);
  expect([another.status, another.text]).toEqual([404, none.text]);
});

test('[8.7] answers 404 for an id that names no file, whatever its characters', async ({ token }) => {
  const ids = [
    ...['a%2Fb', '..%2F..%2Fvolumes', 'a%20b', 'a%00b', 'a%0D%0Ab', 'caf%C3%A9', '%25', 'a:b', '*'],
    ...['%7BfileId%7D', 'a'.repeat(129), 'a'.repeat(2000)],
  ];
  for (const id of ids) {
    expectNotFound(await requestSync(api, token, id));
  }
  // What is not percent-encoded well may be refused before the service.
  const headers = { authorization: `Bearer ${token}` };
  const answer = await api.ask({ method: 'POST', path: '/v0/files/%zz/sync', headers });
  expect([400, 404]).toContain(answer.status);
});

test('[8.11] answers 404 for an empty id and for path segments that a client may take out', async ({
  token,
}) => {
  const empty = await requestSync(api, token, '');
  expect([empty.status, empty.text]).toEqual([404, '{"message":"Not Found"}']);
  const sent = async (segment: string) => String((await requestSync(api, token, segment)).status);
  expect(await culprits(['.', '..', '%2E', '%2e%2e'], '404', sent)).toEqual([]);
  const headers = { authorization: `Bearer ${token}` };
  const byFetch = async (segment: string) =>
    String(
      (await patientFetch(`${api.baseUrl}/v0/files/${segment}/sync`, { method: 'POST', headers })).status,
    );
  expect(await culprits(['.', '..', '%2e%2e'], '404', byFetch)).toEqual([]);
});

test('[8.7] [2.4] knows a file by its exact id alone, percent-encoded or not (RFC 3986 2.3)', async ({
  token,
  file,
}) => {
  const swapped = file === file.toUpperCase() ? file.toLowerCase() : file.toUpperCase();
  for (const other of [`${file}x`, file.slice(0, -1), swapped, `%20${file}`]) {
    if (other !== file) {
      expectNotFound(await requestSync(api, token, other));
    }
  }
  const encoded = [...Buffer.from(file)].map((byte) => `%${byte.toString(16).toUpperCase()}`).join('');
  expect((await requestSync(api, token, encoded)).status).toBe(200);
});

test('[8.8] [8.1] [11.4] answers 409 for a file with syncing not enabled', async ({
  token,
  fileNotEnabled,
}) => {
  const answer = await requestSync(api, token, fileNotEnabled);
  expect(answer.status).toBe(409);
  expect(JSON.parse(answer.text)).toEqual({
    error: 'sync_not_enabled',
    error_description: expect.stringMatching(/.{10,}/),
  });
});

test('[8.4] [6.11] [11.2] refuses a token without sync:create', async ({ readerToken, file }) => {
  const answer = await requestSync(api, readerToken, file);
  expect(answer.status).toBe(403);
  expect(JSON.parse(answer.text)).toEqual({
    error: 'insufficient_scope',
    error_description: expect.stringContaining('sync:create'),
  });
  expect(challengeOf(answer)).toMatch(/^Bearer .*error="insufficient_scope".*scope="sync:create"/);
});

test('[8.9] checks token, scope, file and setting in this order', async ({
  token,
  readerToken,
  fileNotEnabled,
  fileOfAnother,
  fileOfAnotherNotEnabled,
}) => {
  const files = ['no-such-file', fileNotEnabled, fileOfAnother, fileOfAnotherNotEnabled];
  const ask = (bearer: string) => async (file: string) =>
    String((await requestSync(api, bearer, file)).status);
  expect(await culprits(files, '401', ask('abc.def.ghi'))).toEqual([]);
  expect(await culprits(files, '403', ask(readerToken))).toEqual([]);
  expect(await ask(token)(fileOfAnotherNotEnabled)).toBe('404');
});

function expectNotFound(answer: Answer): void {
  expect(answer.status).toBe(404);
  expect(JSON.parse(answer.text)).toEqual({
    error: 'not_found',
    error_description: expect.stringMatching(/.{10,}/),
  });
}
