import { createHmac, createPublicKey } from 'node:crypto';
import { decodeProtectedHeader, exportJWK, generateKeyPair, importJWK, SignJWT } from 'jose';
import { expect } from 'vitest';
import type { SigningKey } from '../support/deployment.ts';
import { type Changes, signToken, unsignedToken, validClaims } from '../support/forged-token.ts';
import type { Answer } from './support/http.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md section 6: tokens that must not be taken. Those of the first part carry a true signature of a
 * key that the deployment publishes, so that nothing but the named member can be the reason of the refusal.
 */

const now = () => Math.floor(Date.now() / 1000);

test('[6.1] takes a token that is right in everything, the base of the cases below', async ({
  signingKey,
}) => {
  const answer = await getVolumes(await signToken(signingKey, api.baseUrl));
  expect(answer.status).toBe(200);
});

test.for([
  ['that expired a minute ago', { exp: now() - 60 }],
  ['that never expires', { exp: undefined }],
] as const)('[5.5] refuses a token %s, though well signed', async ([, claims], { signingKey }) => {
  expectRefused(await getVolumes(await sign(signingKey, { claims })));
});

test.for([
  ['another issuer', { claims: { iss: 'https://issuer.example.com' } }],
  ['no issuer', { claims: { iss: undefined } }],
  ['the issuer with a slash more', { claims: { iss: `${api.baseUrl}/` } }],
  ['another audience', { claims: { aud: 'https://api.example.com' } }],
  ['no audience', { claims: { aud: undefined } }],
] as const)('[6.6] refuses a token with %s', async ([, changes], { signingKey }) => {
  expectRefused(await getVolumes(await sign(signingKey, changes)));
});

test.for([
  ['JWT', { header: { typ: 'JWT' } }],
  ['id_token+jwt', { header: { typ: 'id_token+jwt' } }],
  ['none', { header: { typ: undefined } }],
] as const)('[6.7] refuses a token with the type %s', async ([, changes], { signingKey }) => {
  expectRefused(await getVolumes(await sign(signingKey, changes)));
});

test('[6.7] takes the type application/at+jwt too (RFC 9068 4)', async ({ signingKey }) => {
  const changes = { header: { typ: 'application/at+jwt' } };
  expect((await getVolumes(await sign(signingKey, changes))).status).toBe(200);
});

test.for([
  ['without a key id', { kid: undefined }],
  ['with an unknown key id', { kid: 'another' }],
  ['with a path as key id', { kid: '../../../../dev/null' }],
  ['with an empty key id', { kid: '' }],
  ['with a number as key id', { kid: 1 }],
  ['with an object as key id that cannot be made text', { kid: { toString: null } }],
] as const)('[6.9] refuses a token %s', async ([, header], { signingKey }) => {
  expectRefused(await getVolumes(await sign(signingKey, { header })));
});

test('[6.3] refuses a token with an unknown critical header member (RFC 7515 4.1.11)', async ({
  signingKey,
}) => {
  const { jwk, kid, alg } = signingKey;
  const header = { typ: 'at+jwt', alg, kid, crit: ['exp'], exp: 1 };
  const token = await new SignJWT(validClaims(api.baseUrl))
    .setProtectedHeader(header)
    .sign(await importJWK(jwk, alg), { crit: { exp: true } });
  expectRefused(await getVolumes(token));
});

test('[6.11] refuses a token that carries no scope at all', async ({ signingKey }) => {
  const token = await sign(signingKey, { claims: { scope: '' } });
  expect((await getVolumes(token)).status).toBe(403);
});

test.for(['none', 'None', 'NONE', ''])('[6.8] refuses an unsigned token, alg %j', async (alg) => {
  expectRefused(await getVolumes(unsignedToken(api.baseUrl, alg)));
});

test.for(['JWK', 'PEM'])('[6.8] refuses HS256 with the public key as the secret (%s)', async (form) => {
  const { keys } = JSON.parse((await api.call({ method: 'GET', path: '/.well-known/jwks.json' })).text) as {
    keys: Record<string, string>[];
  };
  for (const key of keys) {
    expectRefused(await getVolumes(signWithPublicKey(key, form)));
  }
});

test('[6.9] refuses a token of a stranger that borrows a published key id', async ({ token }) => {
  const { alg = '', kid = '' } = decodeProtectedHeader(token);
  expectRefused(await getVolumes(await signToken(await strangersKey(alg, kid), api.baseUrl)));
});

test.for(['jwk', 'jku', 'x5u', 'x5c'])(
  '[6.9] does not trust a key that the token brings as %s',
  async (member, { token }) => {
    const { alg = '', kid = '' } = decodeProtectedHeader(token);
    const key = await strangersKey(alg, kid);
    const { kty = '', crv, x, y, n, e } = key.jwk;
    const publicKey = Object.fromEntries(
      Object.entries({ kty, crv, x, y, n, e }).filter(([, value]) => value !== undefined),
    );
    const values = {
      jwk: publicKey,
      jku: `${api.baseUrl}/.well-known/jwks.json`,
      x5u: 'https://example.com/chain.pem',
      x5c: ['MIIB'],
    };
    const value = values[member as keyof typeof values];
    expectRefused(await getVolumes(await signToken(key, api.baseUrl, { header: { [member]: value } })));
  },
);

function sign(key: SigningKey, changes: Changes): Promise<string> {
  return signToken(key, api.baseUrl, changes);
}

async function strangersKey(alg: string, kid: string): Promise<SigningKey> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  return { jwk: { ...(await exportJWK(privateKey)), alg }, kid, alg };
}

/** By hand, since libraries refuse to do it. */
function signWithPublicKey(key: Record<string, string>, form: string): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  const input = `${part({ typ: 'at+jwt', alg: 'HS256', kid: key.kid })}.${part(validClaims(api.baseUrl))}`;
  const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
  const secret = form === 'JWK' ? JSON.stringify(key) : pem;
  return `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`;
}

function getVolumes(token: string): Promise<Answer> {
  return api.call({ method: 'GET', path: '/v0/volumes', headers: { authorization: `Bearer ${token}` } });
}

function expectRefused(answer: Answer): void {
  expect([answer.status, answer.text]).toEqual([401, '{"message":"Unauthorized"}']);
}
