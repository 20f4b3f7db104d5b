import { expect } from 'vitest';
import { exchangeRaw, statusOf } from './support/http.ts';
import { api, test } from './support/test.ts';

/** Contract, Endpoints: nothing but the listed ones; the answers of API Gateway to everything else. */

test.for([
  ['GET', '/'],
  ['GET', '/v0'],
  ['GET', '/v0/'],
  ['GET', '/v1/volumes'],
  ['GET', '/volumes'],
  ['GET', '/v0/volumes/one'],
  ['GET', '/v0/files'],
  ['GET', '/v0/files/some-file'],
  ['POST', '/v0/files/some-file'],
  ['POST', '/v0/files/a/b/sync'],
  ['POST', '/v0/clients'],
  ['POST', '/oauth/authorize'],
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/revoke'],
  ['GET', '/.well-known/oauth-authorization-server'],
  ['GET', '/V0/VOLUMES'],
] as const)(
  '[errors.unknown-route] [service.no-self-service] [version.prefix] does not serve %s %s',
  async ([method, path], { token }) => {
    const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
  },
);

test.for([
  ['POST', '/v0/volumes'],
  ['DELETE', '/v0/volumes'],
  ['GET', '/v0/files/some-file/sync'],
  ['PUT', '/v0/files/some-file/sync'],
  ['POST', '/v0/openapi.json'],
  ['POST', '/.well-known/jwks.json'],
  ['PUT', '/.well-known/openid-configuration'],
] as const)(
  '[errors.unknown-route] does not serve %s %s, another method',
  async ([method, path], { token }) => {
    const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
  },
);

test.for(['/v0/volumes', '/.well-known/jwks.json'])(
  '[errors.unknown-route] does not serve HEAD %s',
  async (path, { token }) => {
    const answer = await api.call({ method: 'HEAD', path, headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.text]).toEqual([404, '']);
  },
);

test.for([
  ['/v0/volumes', 'GET'],
  ['/v0/files/some-file/sync', 'POST'],
  ['/oauth/token', 'POST'],
] as const)('[service.no-cors] does not answer a preflight for %s', async ([path, method]) => {
  const headers = {
    origin: 'https://app.example.com',
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization',
  };
  const answer = await api.call({ method: 'OPTIONS', path, headers });
  expect(answer.status).toBe(404);
});

test('[service.no-cors] sends no CORS header to a page of another origin', async ({ token }) => {
  const headers = { origin: 'https://app.example.com', authorization: `Bearer ${token}` };
  const answer = await api.call({ method: 'GET', path: '/v0/volumes', headers });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('[limits.header-size] refuses more than 10,240 bytes of request line and headers', async () => {
  const headers = { 'x-padding': 'x'.repeat(11_000) };
  const answer = await api.ask({ method: 'GET', path: '/v0/volumes', headers });
  expect(answer.status).toBe(431);
});

test('[limits.header-size] takes 9,000 bytes of them', async ({ token }) => {
  const headers = { 'x-padding': 'x'.repeat(8000), authorization: `Bearer ${token}` };
  expect((await api.call({ method: 'GET', path: '/v0/volumes', headers })).status).toBe(200);
});

test('[errors.unknown-route] answers a request that is no HTTP with 400', async () => {
  const { host } = new URL(api.baseUrl);
  expect(statusOf(await exchangeRaw(api.baseUrl, `NOT HTTP\r\nHost: ${host}\r\n\r\n`))).toBe(400);
});
