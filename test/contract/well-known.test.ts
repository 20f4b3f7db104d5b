import { bearer } from './support/http.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md 10.1 to 10.4, 10.11; RFC 8414, RFC 7517. `test/lambdas/well-known` covers every member, and
 * every If-None-Match.
 */

const discoveryPath = '/.well-known/openid-configuration';
const authorizationServerPath = '/.well-known/oauth-authorization-server';
const keySetPath = '/.well-known/jwks.json';

async function getJson(path: string): Promise<Record<string, unknown>> {
  const response = await api.get(path);
  expect(response.status).toBe(200);
  return JSON.parse(response.text) as Record<string, unknown>;
}

test('[10.1] returns the same metadata at the address of RFC 8414', async () => {
  expect(await getJson(authorizationServerPath)).toEqual(await getJson(discoveryPath));
});

test('[1.1] [14.3] offers the client credentials grant and no other', async () => {
  const metadata = await getJson(discoveryPath);
  expect(metadata.grant_types_supported).toEqual(['client_credentials']);
  expect(metadata).not.toHaveProperty('authorization_endpoint');
  expect(metadata.response_types_supported).toEqual([]);
});

test('[10.4] publishes no member of a private key', async () => {
  const { keys } = (await getJson(keySetPath)) as { keys: object[] };
  expect(keys.length).toBeGreaterThanOrEqual(1);
  const members = keys.flatMap((key) => Object.keys(key));
  const allowed = ['alg', 'crv', 'e', 'kid', 'kty', 'n', 'use', 'x', 'y'];
  expect(members.filter((name) => !allowed.includes(name))).toEqual([]);
});

const cached = [discoveryPath, authorizationServerPath, keySetPath, '/v0/openapi.json'];

test.for(cached)('[10.2] [10.3] %s needs no token', async (path) => {
  const response = await api.get(path, bearer('x'));
  expect(response.status).toBe(200);
  expect(response.headers['content-type']).toMatch(/^application\/json(;|$)/);
});

test.for(cached)('[10.2] %s responds with 304 to its ETag', async (path) => {
  const { etag = '' } = (await api.get(path)).headers;
  const response = await api.get(path, { 'if-none-match': etag });

  expect([response.status, response.text, response.headers.etag]).toEqual([304, '', etag]);
});

test.for(cached)('[10.11] HEAD %s has the headers of GET and no body', async (path) => {
  const [got, head] = [await api.get(path), await api.call({ method: 'HEAD', path })];
  const { date: _date, 'apigw-requestid': _id, ...expected } = got.headers;

  expect([head.status, head.text]).toEqual([200, '']);
  expect(head.headers).toMatchObject(expected);
});
