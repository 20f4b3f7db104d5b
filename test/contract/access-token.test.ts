import { decodeJwt, decodeProtectedHeader, type JWTPayload } from 'jose';
import type { ClientCredentials } from '../support/deployment.ts';
import { api, test } from './support/test.ts';
import { byBasic, grant, requestToken, tokenResponse } from './support/token-request.ts';

/** docs/api.md section 5: the access token, as defined in RFC 9068 section 2. */

test('[5.1] is of type at+jwt and names an algorithm and a published key', async ({ token }) => {
  const keySet = await api.get('/.well-known/jwks.json');
  const { keys } = JSON.parse(keySet.text) as { keys: { kid: string; alg: string }[] };
  const { typ, alg, kid, ...rest } = decodeProtectedHeader(token);
  expect(typ).toBe('at+jwt');
  expect(['ES256', 'RS256']).toContain(alg);
  expect(keys.map((key) => [key.kid, key.alg])).toContainEqual([kid, alg]);
  expect(rest).toEqual({});
});

test('[5.2] [5.3] [2.1] has the claims of RFC 9068 2.2 and its own', async ({ client, organisationId }) => {
  const before = Math.floor(Date.now() / 1000);
  const { claims, expiresIn } = await newToken(client, 'sync:create');
  expect(claims).toEqual({
    iss: api.baseUrl,
    aud: api.baseUrl,
    sub: client.clientId,
    client_id: client.clientId,
    organisation_id: organisationId,
    scope: 'sync:create',
    iat: expect.any(Number),
    exp: expect.any(Number),
    jti: expect.any(String),
  });
  // The clocks of two machines differ by a little.
  expect(Math.abs(Number(claims.iat) - before)).toBeLessThan(60);
  expect(Number(claims.exp) - Number(claims.iat)).toBe(expiresIn);
});

test('[5.4] has an identifier of its own', async ({ client }) => {
  const tokens = await Promise.all(Array.from({ length: 8 }, () => newToken(client)));
  expect(new Set(tokens.map(({ claims }) => claims.jti)).size).toBe(8);
});

async function newToken(
  client: ClientCredentials,
  scope?: string,
): Promise<{ claims: JWTPayload; expiresIn: number }> {
  const form = scope === undefined ? [grant] : [grant, ['scope', scope] as const];
  const body = tokenResponse(await requestToken(byBasic(client, form)));
  return { claims: decodeJwt(body.access_token), expiresIn: body.expires_in };
}
