import { bearer, challengeOf, type Headers, type HttpResponse } from './support/http.ts';
import { requestSync } from './support/sync-request.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md section 6 and 11.1. RFC 6750 sections 2.1 and 3. `test/lambdas/shared` covers every malformed
 * token.
 */

const endpoints = [
  ['GET', '/v0/volumes'],
  ['POST', '/v0/files/some-file/sync'],
] as const;

const getVolumes = (headers: Headers) => api.get('/v0/volumes', headers);

test.for(endpoints)('[6.2] [11.1] rejects %s %s without a token', async ([method, path]) => {
  const response = await api.call({ method, path });

  expectUnauthorized(response);
  // RFC 6750 section 3.1: no error code for a request without any authentication.
  expect(challengeOf(response)).not.toContain('error=');
});

test.for(endpoints)('[6.3] rejects %s %s with a malformed token', async ([method, path]) => {
  const response = await api.call({ method, path, headers: { authorization: 'Bearer abc.def.ghi' } });

  expectUnauthorized(response);
  expect(challengeOf(response)).toContain('error="invalid_token"');
});

test.for(['Bearer ', 'bearer ', 'BEARER ', '  Bearer '])(
  '[6.1] takes the scheme %o, and spaces behind (RFC 9110 5.5)',
  async (scheme, { token }) => {
    expect((await getVolumes({ authorization: `${scheme}${token}  ` })).status).toBe(200);
  },
);

test.for(endpoints)('[6.4] reads no token in the query of %s %s', async ([method, path], { token }) => {
  expectUnauthorized(await api.call({ method, path: `${path}?access_token=${token}` }));
});

test('[6.4] reads no token in a form', async ({ token }) => {
  const headers = { 'content-type': 'application/x-www-form-urlencoded' };
  const body = `access_token=${token}`;
  expectUnauthorized(await api.call({ method: 'POST', path: '/v0/files/some-file/sync', headers, body }));
});

test('[6.4] reads no token in a cookie or another header', async ({ token }) => {
  const value = `Bearer ${token}`;
  const headers = { cookie: `access_token=${token}`, 'x-authorization': value, 'proxy-authorization': value };
  expectUnauthorized(await getVolumes(headers));
});

test('[6.5] rejects two Authorization headers, though both are good', async ({ token }) => {
  expectUnauthorized(await getVolumes({ authorization: [`Bearer ${token}`, `Bearer ${token}`] }));
});

test('[2.3] accepts a token issued before its client was revoked', async ({ revokedToken, file }) => {
  expect((await getVolumes(bearer(revokedToken))).status).toBe(200);
  expect((await requestSync(revokedToken, file)).status).toBe(200);
});

function expectUnauthorized(response: HttpResponse): void {
  expect(response.status).toBe(401);
  expect(JSON.parse(response.text)).toEqual({ message: 'Unauthorized' });
  expect(challengeOf(response)).toMatch(/^Bearer\b/);
}
