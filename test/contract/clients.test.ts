import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createRemoteJWKSet, jwtVerify } from 'jose';
import {
  allowInsecureRequests,
  type ClientAuth,
  ClientSecretBasic,
  ClientSecretPost,
  clientCredentialsGrant,
  discovery,
  fetchProtectedResource,
} from 'openid-client';
import { expect } from 'vitest';
import type { ClientCredentials } from '../support/deployment.ts';
import { curl } from './support/curl.ts';
import { api, test } from './support/test.ts';

/** docs/api.md 10.10: clients that were not written for this service, as they are. */

function discover({ clientId, clientSecret }: ClientCredentials, method: (secret: string) => ClientAuth) {
  const insecure = api.baseUrl.startsWith('http:') ? { execute: [allowInsecureRequests] } : undefined;
  return discovery(new URL(api.baseUrl), clientId, undefined, method(clientSecret), insecure);
}

test('[10.10] openid-client discovers and gets a token, by Basic and by the form', async ({ client }) => {
  for (const method of [ClientSecretBasic, ClientSecretPost]) {
    const configuration = await discover(client, method);
    const tokens = await clientCredentialsGrant(configuration, { scope: 'volume:read' });
    expect([tokens.token_type, tokens.scope]).toEqual(['bearer', 'volume:read']);
    expect(tokens.expiresIn()).toBeGreaterThan(0);
    const url = new URL(`${api.baseUrl}/v0/volumes`);
    const answer = await fetchProtectedResource(configuration, tokens.access_token, url, 'GET');
    expect(await answer.json()).toEqual({ data: [] });
  }
});

test('[10.10] openid-client understands the refusal of a scope', async ({ reader }) => {
  const configuration = await discover(reader, ClientSecretBasic);
  await expect(clientCredentialsGrant(configuration, { scope: 'sync:create' })).rejects.toMatchObject({
    error: 'invalid_scope',
    status: 400,
  });
});

test('[10.10] openid-client understands the refusal of a client', async ({ client }) => {
  const configuration = await discover({ ...client, clientSecret: 'wrong' }, ClientSecretPost);
  // It reads the challenge of a 401 before the body.
  await expect(clientCredentialsGrant(configuration)).rejects.toMatchObject({ status: 401 });
});

test('[10.10] [5.6] jose verifies a token with the remote key set', async ({ token, client }) => {
  const keys = createRemoteJWKSet(new URL(`${api.baseUrl}/.well-known/jwks.json`));
  const expected = { issuer: api.baseUrl, audience: api.baseUrl, typ: 'at+jwt' };
  const { payload, protectedHeader } = await jwtVerify(token, keys, expected);
  expect(payload.sub).toBe(client.clientId);
  expect(['ES256', 'RS256']).toContain(protectedHeader.alg);
});

test('[10.10] curl gets a token with -u and -d', async ({ client, skip }) => {
  const credentials = `${client.clientId}:${client.clientSecret}`;
  const url = `${api.baseUrl}/oauth/token`;
  const output = await curl(['-u', credentials, '-d', 'grant_type=client_credentials', url], skip);
  expect(JSON.parse(output)).toMatchObject({ token_type: 'Bearer' });
});

test('[10.10] [9.1] [1.4] curl uploads with nothing but -X PUT --upload-file', async ({
  uploadUrl,
  skip,
}) => {
  const folder = await mkdtemp(join(tmpdir(), 'file-sync-curl-'));
  const path = join(folder, 'orders.csv');
  await writeFile(path, 'id,total\n1,20\n'.repeat(10_000));
  const put = () =>
    curl(['-o', '-', '-w', '%{http_code}', '-X', 'PUT', '--upload-file', path, uploadUrl.reveal()], skip);
  try {
    expect(await put()).toBe('200');
    expect(await put()).toMatch(/<Code>PreconditionFailed<\/Code>[\s\S]*412$/);
  } finally {
    await rm(folder, { recursive: true });
  }
});
