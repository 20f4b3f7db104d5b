import { expect } from 'vitest';
import { type Answer, exchangeRaw, statusOf } from './support/http.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 1.2 and section 14: nothing but the listed endpoints; the answers of API Gateway to everything else. */

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
] as const)('[11.7] [1.2] [13.1] does not serve %s %s', async ([method, path], { token }) => {
  const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
});

test.for([
  ['POST', '/v0/clients'],
  ['POST', '/oauth/register'],
  ['POST', '/v0/files'],
  ['PATCH', '/v0/files/some-file'],
] as const)('[14.2] has no endpoint that makes or changes what the operator does: %s %s', expectNoEndpoint);

test.for([
  ['GET', '/oauth/authorize'],
  ['POST', '/oauth/device_authorization'],
] as const)('[14.3] has no endpoint of another grant: %s %s', expectNoEndpoint);

test.for([
  ['POST', '/oauth/revoke'],
  ['POST', '/oauth/introspect'],
] as const)('[14.5] neither revokes nor introspects tokens: %s %s', expectNoEndpoint);

test.for([
  ['GET', '/v0/files'],
  ['GET', '/v0/files/some-file'],
  ['GET', '/v0/files/some-file/content'],
] as const)('[14.7] does not let files be read: %s %s', expectNoEndpoint);

test.for([
  ['POST', '/v0/webhooks'],
  ['GET', '/v0/events'],
] as const)('[14.8] has no events: %s %s', expectNoEndpoint);

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

test('[13.4] announces the end of v0 on every answer of its functions, or on none, and nowhere else', async ({
  token,
  readerToken,
  fileNotEnabled,
}) => {
  const headers = { authorization: `Bearer ${token}` };
  const announcement = ({ headers: { deprecation, sunset, link } }: Answer) => [deprecation, sunset, link];
  const document = await api.call({ method: 'GET', path: '/v0/openapi.json' });
  const sync = (fileId: string) => ({ method: 'POST', path: `/v0/files/${fileId}/sync` });
  const answers = await Promise.all([
    api.call({ method: 'GET', path: '/v0/volumes', headers }),
    api.call({ method: 'GET', path: '/v0/volumes' }),
    api.call({ ...sync('some-file'), headers: { authorization: `Bearer ${readerToken}` } }),
    api.call({ ...sync('some-file'), headers }),
    api.call({ ...sync(fileNotEnabled), headers }),
    api.call({ method: 'GET', path: '/v0/openapi.json', headers: { 'if-none-match': '*' } }),
  ]);
  expect(answers.map(({ status }) => status)).toEqual([200, 401, 403, 404, 409, 304]);
  for (const answer of answers) {
    expect(announcement(answer)).toEqual(announcement(document));
  }
  for (const path of ['/.well-known/jwks.json', '/.well-known/openid-configuration']) {
    expect(announcement(await api.call({ method: 'GET', path }))).toEqual([undefined, undefined, undefined]);
  }
  const refused = await api.call({ method: 'POST', path: '/oauth/token' });
  expect(announcement(refused)).toEqual([undefined, undefined, undefined]);
});

test('[11.8] has API Gateway refuse a body above 10 MB', async () => {
  const body = Buffer.alloc(10 * 1024 * 1024 + 1);
  const answer = await api.ask({ method: 'POST', path: '/oauth/token', body });
  expect(answer.status).toBe(413);
});

test.for([
  ['POST', '/v0/volumes'],
  ['DELETE', '/v0/volumes'],
  ['GET', '/v0/files/some-file/sync'],
  ['PUT', '/v0/files/some-file/sync'],
  ['POST', '/v0/openapi.json'],
  ['POST', '/.well-known/jwks.json'],
  ['PUT', '/.well-known/openid-configuration'],
] as const)('[11.7] does not serve %s %s, another method', async ([method, path], { token }) => {
  const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
});

test.for(['/v0/volumes', '/.well-known/jwks.json'])(
  '[11.7] does not serve HEAD %s',
  async (path, { token }) => {
    const answer = await api.call({ method: 'HEAD', path, headers: { authorization: `Bearer ${token}` } });
    expect([answer.status, answer.text]).toEqual([404, '']);
  },
);

test.for([
  ['/v0/volumes', 'GET'],
  ['/v0/files/some-file/sync', 'POST'],
  ['/oauth/token', 'POST'],
] as const)('[14.1] does not answer a preflight for %s', async ([path, method]) => {
  const headers = {
    origin: 'https://app.example.com',
    'access-control-request-method': method,
    'access-control-request-headers': 'authorization',
  };
  const answer = await api.call({ method: 'OPTIONS', path, headers });
  expect(answer.status).toBe(404);
});

test('[14.1] sends no CORS header to a page of another origin', async ({ token }) => {
  const headers = { origin: 'https://app.example.com', authorization: `Bearer ${token}` };
  const answer = await api.call({ method: 'GET', path: '/v0/volumes', headers });
  expect(answer.status).toBe(200);
  expect(Object.keys(answer.headers).filter((name) => name.startsWith('access-control'))).toEqual([]);
});

test('[12.3] [11.8] refuses more than 10,240 bytes of request line and headers', async () => {
  const headers = { 'x-padding': 'x'.repeat(11_000) };
  const answer = await api.ask({ method: 'GET', path: '/v0/volumes', headers });
  expect(answer.status).toBe(431);
});

test('[12.3] takes 9,000 bytes of them', async ({ token }) => {
  const headers = { 'x-padding': 'x'.repeat(8000), authorization: `Bearer ${token}` };
  expect((await api.call({ method: 'GET', path: '/v0/volumes', headers })).status).toBe(200);
});

test('[11.8] answers a request that is no HTTP with 400', async () => {
  const { host } = new URL(api.baseUrl);
  expect(statusOf(await exchangeRaw(api.baseUrl, `NOT HTTP\r\nHost: ${host}\r\n\r\n`))).toBe(400);
});

type Row = readonly [method: string, path: string];

async function expectNoEndpoint([method, path]: Row, { token }: { readonly token: string }): Promise<void> {
  const answer = await api.call({ method, path, headers: { authorization: `Bearer ${token}` } });
  expect([answer.status, answer.text]).toEqual([404, '{"message":"Not Found"}']);
}
