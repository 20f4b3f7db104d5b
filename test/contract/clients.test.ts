import { createRemoteJWKSet, customFetch as customFetchOfJose, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  type CustomFetch,
  clientCredentialsGrant,
  customFetch,
  discovery,
  fetchProtectedResource,
} from 'openid-client';
import type { ClientCredentials } from '../support/deployment.ts';
import { patientFetch } from '../support/throttled.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 10.10: OAuth clients of other authors, unchanged. `test/system/examples` covers curl. */

function discover({ clientId, clientSecret }: ClientCredentials, method: (secret: string) => ClientAuth) {
  const execute = api.baseUrl.startsWith('http:') ? [allowInsecureRequests] : [];
  const options = { execute, [customFetch]: patientFetch as CustomFetch };
  return discovery(new URL(api.baseUrl), clientId, undefined, method(clientSecret), options);
}

test.for([
  ['Basic', ClientSecretBasic],
  ['the form', ClientSecretPost],
] as const)('[10.10] openid-client gets a token, by %s', async ([, method], { client }) => {
  const configuration = await discover(client, method);
  const tokens = await clientCredentialsGrant(configuration, { scope: 'volume:read' });
  expect([tokens.token_type, tokens.scope]).toEqual(['bearer', 'volume:read']);
  expect(tokens.expiresIn()).toBeGreaterThan(0);

  const url = new URL(`${api.baseUrl}/v0/volumes`);
  const response = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET');
  expect(await response.json()).toEqual({ data: [] });
});

test('[10.10] openid-client understands the rejection of a scope', async ({ reader }) => {
  const asReader = await discover(reader, ClientSecretBasic);
  const rejection = { error: 'invalid_scope', status: 400 };
  await expect(clientCredentialsGrant(asReader, { scope: 'sync:create' })).rejects.toMatchObject(rejection);
});

test('[10.10] [5.6] jose verifies a token with the remote key set', async ({ token, client }) => {
  const keys = createRemoteJWKSet(new URL(`${api.baseUrl}/.well-known/jwks.json`), {
    [customFetchOfJose]: patientFetch,
  });
  const expected = { issuer: api.baseUrl, audience: api.baseUrl, typ: 'at+jwt' };
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
  expect(payload.sub).toBe(client.clientId);
  expect(['ES256', 'RS256']).toContain(protectedHeader.alg);
});
