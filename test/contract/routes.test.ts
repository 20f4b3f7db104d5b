import { expect } from 'vitest';
import { exchangeRaw, statusOf } from './support/http.ts';
import { api, culprits, test } from './support/test.ts';

/** docs/api.md 1.2 and section 14: nothing but the listed endpoints; the answers of API Gateway to everything else. */

const notServed: Readonly<Record<string, readonly string[]>> = {
  '[1.2] other paths': [
    'GET /',
    'GET /v0',
    'GET /v0/',
    'GET /volumes',
    'GET /v0/volumes/one',
    'GET /V0/VOLUMES',
  ],
  '[1.2] other paths of files': ['POST /v0/files/some-file', 'POST /v0/files/a/b/sync'],
  '[13.1] another version': ['GET /v1/volumes'],
  '[14.2] what the operator does': [
    'POST /v0/clients',
    'POST /oauth/register',
    'POST /v0/files',
    'PATCH /v0/files/a',
  ],
  '[14.3] another grant': [
    'GET /oauth/authorize',
    'POST /oauth/authorize',
    'POST /oauth/device_authorization',
  ],
  '[14.5] revoking and introspecting tokens': ['POST /oauth/revoke', 'POST /oauth/introspect'],
  '[14.7] reading files': ['GET /v0/files', 'GET /v0/files/some-file', 'GET /v0/files/some-file/content'],
  '[14.8] events': ['POST /v0/webhooks', 'GET /v0/events'],
  '[11.7] another method': [
    ...['POST /v0/volumes', 'DELETE /v0/volumes', 'GET /v0/files/a/sync', 'PUT /v0/files/a/sync'],
    ...['POST /v0/openapi.json', 'POST /.well-known/jwks.json', 'PUT /.well-known/openid-configuration'],
  ],
};

test('[11.7] [1.2] [13.1] [14.2] [14.3] [14.5] [14.7] [14.8] serves nothing but the endpoints', async ({
  token,
}) => {
  const ask = async (endpoint: string) => {
    const [method = '', path = ''] = endpoint.split(' ');
    const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
    return `${answer.status} ${answer.text}`;
  };
  expect(await culprits(Object.values(notServed).flat(), '404 {"message":"Not Found"}', ask)).toEqual([]);
  expect(await culprits(['HEAD /v0/volumes', 'HEAD /.well-known/jwks.json'], '404 ', ask)).toEqual([]);
});

test('[1.5] names each request in its answer, by whomever it is answered', async ({ token }) => {
  const headers = { authorization: `Bearer ${token}` };
  const answers = await Promise.all([
    api.call({ method: 'GET', path: '/v0/volumes', headers }),
    api.call({ method: 'GET', path: '/v0/volumes' }),
    api.call({ method: 'GET', path: '/.well-known/jwks.json' }),
    api.call({ method: 'GET', path: '/nowhere' }),
  ]);
  const names = answers.map((answer) => answer.headers['apigw-requestid']);
  expect(names).toEqual(answers.map(() => expect.stringMatching(/./)));
  expect(new Set(names).size).toBe(answers.length);
});

test('[11.8] has API Gateway refuse a body above 10 MB', async () => {
  const body = Buffer.alloc(10 * 1024 * 1024 + 1);
  const answer = await api.ask({ method: 'POST', path: '/oauth/token', body });
  expect(answer.status).toBe(413);
});

test('[14.1] does not answer a preflight', async () => {
  const ask = async (path: string) => {
    const headers = {
      origin: 'https://app.example.com',
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'authorization',
    };
    return String((await api.call({ method: 'OPTIONS', path, headers })).status);
  };
  expect(await culprits(['/v0/volumes', '/v0/files/some-file/sync', '/oauth/token'], '404', ask)).toEqual([]);
});

test('[14.1] sends no CORS header to a page of another origin', async ({ token }) => {
  const headers = { origin: 'https://app.example.com', authorization: `Bearer ${token}` };
  const answer = await api.call({ method: 'GET', path: '/v0/volumes', headers });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('[12.3] [11.8] takes 9,000 bytes of request line and headers, and not more than 10,240', async ({
  token,
}) => {
  const ask = async (size: number) => {
    const headers = { 'x-padding': 'x'.repeat(size), authorization: `Bearer ${token}` };
    return (await api.ask({ method: 'GET', path: '/v0/volumes', headers })).status;
  };
  expect(await ask(8000)).toBe(200);
  expect(await ask(11_000)).toBe(431);
});

test('[11.8] answers a request that is no HTTP with 400', async () => {
  const { host } = new URL(api.baseUrl);
  expect(statusOf(await exchangeRaw(api.baseUrl, `NOT HTTP\r\nHost: ${host}\r\n\r\n`))).toBe(400);
});
