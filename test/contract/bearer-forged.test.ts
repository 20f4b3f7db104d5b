import { createHmac, createPublicKey } from 'node:crypto';
import { decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import { expect } from 'vitest';
import type { SigningKey } from '../support/deployment.ts';
import {
  type Changes,
  otherSpellings,
  signParts,
  signToken,
  tokenPart,
  unsignedToken,
  validClaims,
} from '../support/forged-token.ts';
import { api, culprits, test } from './support/test.ts';

/**
 * docs/api.md section 6: tokens that must not be accepted. A token with one change has a true signature of a key that the
 * deployment publishes. So only the change can be the reason of the refusal.
 */

const unauthorized = '401 {"message":"Unauthorized"}';
const now = () => Math.floor(Date.now() / 1000);

/** Status and body of a request with this token, or only the status when the token is accepted. */
async function present(token: string): Promise<string> {
  const headers = { authorization: `Bearer ${token}` };
  const { status, text } = await api.call({ method: 'GET', path: '/v0/volumes', headers });
  return status === 200 ? '200' : `${status} ${text}`;
}

/** A true signature under header and claims as they are, which a library may refuse to make. */
function wellSigned(key: SigningKey, { header, claims }: Changes = {}): string {
  const { alg, kid } = key;
  return signParts(
    key,
    tokenPart({ typ: 'at+jwt', alg, kid, ...header }),
    tokenPart({ ...validClaims(api.baseUrl), ...claims }),
  );
}

const refusedChanges: Readonly<Record<string, Changes>> = {
  '[5.5] expired a minute ago': { claims: { exp: now() - 60 } },
  '[5.5] never expires': { claims: { exp: undefined } },
  '[6.6] another issuer': { claims: { iss: 'https://issuer.example.com' } },
  '[6.6] no issuer': { claims: { iss: undefined } },
  '[6.6] the issuer with a slash more': { claims: { iss: `${api.baseUrl}/` } },
  '[6.6] another audience': { claims: { aud: 'https://api.example.com' } },
  '[6.6] no audience': { claims: { aud: undefined } },
  '[6.7] an ID token': { header: { typ: 'id_token+jwt' } },
  '[6.7] any JWT': { header: { typ: 'JWT' } },
  '[6.7] no type': { header: { typ: undefined } },
  '[6.8] another algorithm': { header: { alg: 'RS256' } },
  '[6.9] no key id': { header: { kid: undefined } },
  '[6.9] an unknown key id': { header: { kid: 'another' } },
  '[6.9] a path as key id': { header: { kid: '../../../../dev/null' } },
  '[6.9] an object as key id': { header: { kid: { toString: null } } },
  '[6.12] b64 true': { header: { b64: true } },
  '[6.12] b64 true, which crit names': { header: { b64: true, crit: ['b64'] } },
  '[6.12] an empty crit': { header: { crit: [] } },
  '[6.12] a crit that names what it has': { header: { crit: ['kid'] } },
};

test('[5.5] [6.6] [6.7] [6.8] [6.9] [6.12] refuses a token for one thing that is wrong, though well signed', async ({
  signingKey,
}) => {
  const ask = (name: string) => present(wellSigned(signingKey, refusedChanges[name]));
  expect(await culprits(Object.keys(refusedChanges), unauthorized, ask)).toEqual([]);
});

test('[6.1] [6.7] [6.12] takes a token that is right, also with the long type or an unknown member', async ({
  signingKey,
}) => {
  const good: readonly Changes[] = [
    {},
    { header: { typ: 'application/at+jwt' } },
    // RFC 7515 section 4
    { header: { unknown: true } },
  ];
  expect(await culprits(good, '200', (changes) => present(wellSigned(signingKey, changes)))).toEqual([]);
});

test('[6.11] refuses a token that carries no scope at all', async ({ signingKey }) => {
  expect(await present(wellSigned(signingKey, { claims: { scope: '' } }))).toMatch(/^403 /);
});

test('[6.8] refuses an unsigned token', async () => {
  const ask = (alg: string) => present(unsignedToken(api.baseUrl, alg));
  expect(await culprits(['none', 'None', 'NONE', ''], unauthorized, ask)).toEqual([]);
});

test('[6.8] refuses HS256 with the public key as the secret, as JWK and as PEM', async () => {
  const { text } = await api.call({ method: 'GET', path: '/.well-known/jwks.json' });
  const { keys } = JSON.parse(text) as { readonly keys: readonly Record<string, string>[] };
  expect(keys.length).toBeGreaterThan(0);
  const tokens = keys.flatMap((key) => {
    const pem = createPublicKey({ key, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
    const input = `${tokenPart({ typ: 'at+jwt', alg: 'HS256', kid: key.kid })}.${tokenPart(validClaims(api.baseUrl))}`;
    return [JSON.stringify(key), pem].map(
      (secret) => `${input}.${createHmac('sha256', secret).update(input).digest('base64url')}`,
    );
  });
  expect(await culprits(tokens, unauthorized, present)).toEqual([]);
});

test('[6.9] does not trust a key of a stranger, under a published key id or brought by the token', async ({
  token,
}) => {
  const { alg = '', kid = '' } = decodeProtectedHeader(token);
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const key = { jwk: { ...(await exportJWK(privateKey)), alg }, kid, alg };
  const headers = [
    {},
    { jwk: await exportJWK(publicKey) },
    { jku: `${api.baseUrl}/.well-known/jwks.json` },
    { x5u: 'https://example.com/chain.pem' },
    { x5c: ['MIIB'] },
  ];
  const ask = async (header: object) => present(await signToken(key, api.baseUrl, { header: { ...header } }));
  expect(await culprits(headers, unauthorized, ask)).toEqual([]);
});

test('[6.12] refuses every other spelling of the signature of a token', async ({ token }) => {
  const signed = token.slice(0, token.lastIndexOf('.') + 1);
  const spellings = otherSpellings(token.slice(signed.length));
  // The signatures of ES256 and RS256 have 4 unused bits: 15 other characters, and padding.
  expect(spellings.length).toBeGreaterThanOrEqual(17);
  expect(await culprits(spellings, unauthorized, (spelling) => present(signed + spelling))).toEqual([]);
  expect(await present(token)).toBe('200');
});
