import { expect } from 'vitest';
import { type Answer, challengeOf, type Headers } from './support/http.ts';
import { requestSync } from './support/sync-request.ts';
import { api, culprits, test } from './support/test.ts';

/** docs/api.md section 6 and 11.1. RFC 6750 sections 2.1 and 3. */

const endpoints = [
  ['GET', '/v0/volumes'],
  ['POST', '/v0/files/some-file/sync'],
] as const;

test('[6.2] [11.1] refuses a request without a token', async () => {
  for (const [method, path] of endpoints) {
    const answer = await api.call({ method, path });
    expectUnauthorized(answer);
    // RFC 6750 section 3.1: no error code for a request without any authentication.
    expect(challengeOf(answer)).not.toContain('error=');
  }
});

test('[6.3] refuses a header or token that is malformed', async () => {
  const malformed = [
    ...['Bearer', 'Bearer ', 'Basic YTpi', 'abc.def.ghi', 'Bearer "quoted"', 'Bearer a.b.c a.b.c'],
    ...['Bearer abc.def', 'Bearer a.b.c.d.e', 'Bearer AAAA.BBBB.CCCC', 'Bearer ..'],
    `Bearer ${'a'.repeat(8000)}`,
  ];
  for (const [method, path] of endpoints) {
    const ask = async (authorization: string) => {
      const { status, text } = await api.call({ method, path, headers: { authorization } });
      return `${status} ${text}`;
    };
    expect(await culprits(malformed, '401 {"message":"Unauthorized"}', ask)).toEqual([]);
  }
  const answer = await getVolumes({ authorization: 'Bearer abc.def.ghi' });
  expect(challengeOf(answer)).toContain('error="invalid_token"');
});

test('[6.1] takes the scheme in any case, and spaces around the value (RFC 9110 5.5)', async ({ token }) => {
  const before = ['Bearer ', 'bearer ', 'BEARER ', '  Bearer '];
  const ask = async (start: string) =>
    String((await getVolumes({ authorization: `${start}${token}  ` })).status);
  expect(await culprits(before, '200', ask)).toEqual([]);
});

test('[6.4] does not read a token in the query, a form, a cookie or another header', async ({ token }) => {
  for (const [method, path] of endpoints) {
    expectUnauthorized(await api.call({ method, path: `${path}?access_token=${token}` }));
  }
  const form = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = `access_token=${token}`;
  expectUnauthorized(
    await api.call({ method: 'POST', path: '/v0/files/some-file/sync', headers: form, body }),
  );
  const value = `Bearer ${token}`;
  const headers = { cookie: `access_token=${token}`, 'x-authorization': value, 'proxy-authorization': value };
  expectUnauthorized(await getVolumes(headers));
});

test('[6.5] refuses two Authorization headers, though both are good', async ({ token }) => {
  expectUnauthorized(await getVolumes({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }));
});

test('[6.10] refuses a token that is changed anywhere, or of the parts of two', async ({
  token,
  readerToken,
}) => {
  const [header = '', claims = '', signature = ''] = token.split('.');
  const changed = [
    [other(header), claims, signature],
    [header, other(claims), signature],
    [header, claims, other(signature)],
    [header, claims, ''],
    [header, claims, readerToken.split('.')[2]],
  ];
  for (const parts of changed) {
    expectUnauthorized(await getVolumes({ authorization: `Bearer ${parts.join('.')}` }));
  }
});

/** The text with another character in its middle. */
function other(text: string): string {
  const middle = Math.floor(text.length / 2);
  return text.slice(0, middle) + (text[middle] === 'A' ? 'B' : 'A') + text.slice(middle + 1);
}

test('[2.3] takes a token that was issued before its client was revoked', async ({ revokedToken, file }) => {
  expect((await getVolumes({ authorization: `Bearer ${revokedToken}` })).status).toBe(200);
  expect((await requestSync(api, revokedToken, file)).status).toBe(200);
});

function getVolumes(headers: Headers): Promise<Answer> {
  return api.call({ method: 'GET', path: '/v0/volumes', headers });
}

function expectUnauthorized(answer: Answer): void {
  expect(answer.status).toBe(401);
  expect(JSON.parse(answer.text)).toEqual({ message: 'Unauthorized' });
  expect(challengeOf(answer)).toMatch(/^Bearer\b/);
}
