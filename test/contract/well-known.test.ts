import { expect } from 'vitest';
import { api, test } from './support/test.ts';

/** docs/api.md 10.1 to 10.4; OpenID Connect Discovery 1.0 section 3, RFC 8414, RFC 7517. */

const discoveryPath = '/.well-known/openid-configuration';
const authorizationServerPath = '/.well-known/oauth-authorization-server';
const keySetPath = '/.well-known/jwks.json';

async function getJson(path: string): Promise<Record<string, unknown>> {
  const answer = await api.call({ method: 'GET', path });
  expect(answer.status).toBe(200);
  return JSON.parse(answer.text) as Record<string, unknown>;
}

test('[10.1] names issuer, token endpoint, key set and scopes, and has what Discovery 1.0 requires', async () => {
  const metadata = await getJson(discoveryPath);
  expect(metadata).toMatchObject({
    issuer: api.baseUrl,
    token_endpoint: `${api.baseUrl}/oauth/token`,
    jwks_uri: `${api.baseUrl}/.well-known/jwks.json`,
    scopes_supported: expect.arrayContaining(['volume:read', 'sync:create']),
    token_endpoint_auth_methods_supported: expect.arrayContaining([
      'client_secret_basic',
      'client_secret_post',
    ]),
  });
  for (const name of [
    'response_types_supported',
    'subject_types_supported',
    'id_token_signing_alg_values_supported',
  ]) {
    expect(Array.isArray(metadata[name]), name).toBe(true);
  }
});

test('[10.1] gives the same metadata where RFC 8414 looks for it', async () => {
  expect(await getJson(authorizationServerPath)).toEqual(await getJson(discoveryPath));
});

test('[1.1] [4.3] [14.3] [14.4] offers the client credentials grant and no other', async () => {
  const metadata = await getJson(discoveryPath);
  expect(metadata.grant_types_supported).toEqual(['client_credentials']);
  expect(metadata).not.toHaveProperty('authorization_endpoint');
  expect(metadata.response_types_supported).toEqual([]);
});

test('[10.4] publishes public keys alone, each with kid, alg and use', async () => {
  const { keys } = (await getJson(keySetPath)) as { keys: Record<string, string>[] };
  expect(keys.length).toBeGreaterThanOrEqual(1);
  for (const key of keys) {
    expect(key).toMatchObject({ kid: expect.any(String), use: 'sig' });
    expect(['ES256', 'RS256']).toContain(key.alg);
    const members = key.kty === 'EC' ? ['crv', 'x', 'y'] : ['n', 'e'];
    expect(Object.keys(key).sort()).toEqual(['alg', 'kid', 'kty', 'use', ...members].sort());
  }
  expect(new Set(keys.map(({ kid }) => kid)).size).toBe(keys.length);
});

const cached = [discoveryPath, authorizationServerPath, keySetPath, '/v0/openapi.json'];

test('[10.2] [10.3] may be cached by anybody, and needs no token', async () => {
  for (const path of cached) {
    const answer = await api.call({ method: 'GET', path, headers: { authorization: 'Bearer x' } });
    expect([path, answer.status]).toEqual([path, 200]);
    expect(answer.headers['cache-control']).toMatch(/^public, max-age=\d+$/);
    expect(answer.headers['content-type']).toMatch(/^application\/json(;|$)/);
    expect(answer.headers.etag).toMatch(/^"[^"]+"$/);
  }
});

test('[10.2] answers 304 to its own ETag, and whole to another', async () => {
  for (const path of cached) {
    const { etag = '' } = (await api.call({ method: 'GET', path })).headers;
    // RFC 9110 section 13.1.2: a list, weak comparison, or any.
    for (const known of [etag, `"other", ${etag}`, `W/${etag}`, '*']) {
      const answer = await api.call({ method: 'GET', path, headers: { 'if-none-match': known } });
      expect([path, known, answer.status, answer.text]).toEqual([path, known, 304, '']);
      expect(answer.headers.etag).toBe(etag);
    }
    const whole = await api.call({ method: 'GET', path, headers: { 'if-none-match': '"other"' } });
    expect([path, whole.status]).toEqual([path, 200]);
    expect(whole.text.length).toBeGreaterThan(2);
  }
});
