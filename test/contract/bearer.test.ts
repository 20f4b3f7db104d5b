import { expect } from 'vitest';
import { challengeOf } from './support/challenge.ts';
import type { Answer, Headers } from './support/http.ts';
import { api, test } from './support/test.ts';

/** docs/api.md section 6 and 11.1. RFC 6750 sections 2.1 and 3. */

const endpoints = [
  ['GET', '/v0/volumes'],
  ['POST', '/v0/files/some-file/sync'],
] as const;

test.for(endpoints)('[6.2] [11.1] %s %s refuses a request without a token', async ([method, path]) => {
  const answer = await api.call({ method, path });
  expectUnauthorized(answer);
  // RFC 6750 section 3.1: no error code for a request without any authentication.
  expect(challengeOf(answer)).not.toContain('error=');
});

test.for([
  ['nothing after the scheme', 'Bearer'],
  ['an empty token', 'Bearer '],
  ['another scheme', 'Basic YTpi'],
  ['no scheme', 'abc.def.ghi'],
  ['a word that is no token', 'Bearer token'],
  ['two parts', 'Bearer abc.def'],
  ['five parts', 'Bearer a.b.c.d.e'],
  ['characters outside b64token', 'Bearer "quoted"'],
  ['two tokens', 'Bearer abc.def.ghi abc.def.ghi'],
  ['parts that are not JSON', 'Bearer AAAA.BBBB.CCCC'],
  ['empty parts', 'Bearer ..'],
  ['a key and value', 'Bearer token=abc'],
  ['8,000 characters', `Bearer ${'a'.repeat(8000)}`],
] as const)('[6.3] refuses %s', async ([, authorization]) => {
  for (const [method, path] of endpoints) {
    expectUnauthorized(await api.call({ method, path, headers: { authorization } }));
  }
});

test('[6.3] says that the token is invalid', async () => {
  const answer = await getVolumes({ authorization: 'Bearer abc.def.ghi' });
  expect(challengeOf(answer)).toContain('error="invalid_token"');
});

test.for(['Bearer', 'bearer', 'BEARER'])('[6.1] takes the scheme as %s', async (scheme, { token }) => {
  expect((await getVolumes({ authorization: `${scheme} ${token}` })).status).toBe(200);
});

test('[6.1] takes spaces around the header value, which belong to no value (RFC 9110 5.5)', async ({
  token,
}) => {
  expect((await getVolumes({ authorization: `  Bearer ${token}  ` })).status).toBe(200);
});

test('[6.4] does not read a token in the query', async ({ token }) => {
  for (const [method, path] of endpoints) {
    expectUnauthorized(await api.call({ method, path: `${path}?access_token=${token}` }));
  }
});

test('[6.4] does not read a token in a form', async ({ token }) => {
  const answer = await api.call({
    method: 'POST',
    path: '/v0/files/some-file/sync',
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
    body: `access_token=${token}`,
  });
  expectUnauthorized(answer);
});

test('[6.4] does not read a token in a cookie or another header', async ({ token }) => {
  const value = `Bearer ${token}`;
  const headers = { cookie: `access_token=${token}`, 'x-authorization': value, 'proxy-authorization': value };
  expectUnauthorized(await getVolumes(headers));
});

test('[6.5] refuses two Authorization headers, though both are good', async ({ token }) => {
  expectUnauthorized(await getVolumes({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }));
});

test.for([
  ['header', 0],
  ['claims', 1],
  ['signature', 2],
] as const)('[6.10] refuses a token with another character in its %s', async ([, part], { token }) => {
  const parts = token.split('.');
  const text = parts[part] ?? '';
  const middle = Math.floor(text.length / 2);
  parts[part] = text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
  expectUnauthorized(await getVolumes({ authorization: `Bearer ${parts.join('.')}` }));
});

test('[6.10] refuses a token without its signature', async ({ token }) => {
  const bare = token.slice(0, token.lastIndexOf('.') + 1);
  expectUnauthorized(await getVolumes({ authorization: `Bearer ${bare}` }));
});

test('[6.10] refuses the claims of one token under the signature of another', async ({
  token,
  readerToken,
}) => {
  const [header, claims] = token.split('.');
  const signature = readerToken.split('.')[2];
  expectUnauthorized(await getVolumes({ authorization: `Bearer ${header}.${claims}.${signature}` }));
});

test('[2.3] takes a token that was issued before its client was revoked', async ({ revokedToken }) => {
  expect((await getVolumes({ authorization: `Bearer ${revokedToken}` })).status).toBe(200);
});

function getVolumes(headers: Headers): Promise<Answer> {
  return api.call({ method: 'GET', path: '/v0/volumes', headers });
}

function expectUnauthorized(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toEqual({ message: 'Unauthorized' });
  expect(challengeOf(answer)).toMatch(/^Bearer\b/);
}
