import { decodeProtectedHeader, exportJWK, generateKeyPair } from 'jose';
import type { SigningKey } from '../support/deployment.ts';
import {
  type Changes,
  signParts,
  signToken,
  tokenPart,
  unsignedToken,
  validClaims,
} from '../support/forged-token.ts';
import { bearer } from './support/http.ts';
import { api, test } from './support/test.ts';

/**
 * docs/api.md section 6: tokens that must be rejected, one for each rule. `test/lambdas/shared` covers the
 * others. A token with one change is correctly signed with a published key of the deployment, so only the
 * change can cause the rejection.
 */

const unauthorized = '401 {"message":"Unauthorized"}';

/** Returns status and body of a request with this token, or only the status if the token is accepted. */
async function present(token: string): Promise<string> {
  const { status, text } = await api.get('/v0/volumes', bearer(token));
  return status === 200 ? '200' : `${status} ${text}`;
}

/** Signs a header and claims without checks. A library may reject them. */
function wellSigned(key: SigningKey, { header, claims }: Changes = {}): string {
  const { alg, kid } = key;
  return signParts(
    key,
    tokenPart({ typ: 'at+jwt', alg, kid, ...header }),
    tokenPart({ ...validClaims(api.baseUrl), ...claims }),
  );
}

test('[5.5] rejects a token that expired a minute ago', async ({ signingKey }) => {
  const exp = Math.floor(Date.now() / 1000) - 60;
  expect(await present(wellSigned(signingKey, { claims: { exp } }))).toBe(unauthorized);
});

test.for([{ iss: 'https://issuer.example.com' }, { aud: 'https://api.example.com' }])(
  '[6.6] rejects a token with %j',
  async (claims, { signingKey }) => {
    expect(await present(wellSigned(signingKey, { claims }))).toBe(unauthorized);
  },
);

test('[6.7] rejects a token of type JWT', async ({ signingKey }) => {
  expect(await present(wellSigned(signingKey, { header: { typ: 'JWT' } }))).toBe(unauthorized);
});

test('[6.12] rejects a token with b64 in its header', async ({ signingKey }) => {
  const header = { b64: true, crit: ['b64'] };
  expect(await present(wellSigned(signingKey, { header }))).toBe(unauthorized);
});

test('[6.1] [6.12] accepts a valid token with an unknown member (RFC 7515 4)', async ({ signingKey }) => {
  expect(await present(wellSigned(signingKey, { header: { unknown: true } }))).toBe('200');
});

test('[6.8] rejects an unsigned token', async () => {
  expect(await present(unsignedToken(api.baseUrl))).toBe(unauthorized);
});

test('[6.9] trusts no key that the token brings along', async ({ token }) => {
  const { alg = '', kid = '' } = decodeProtectedHeader(token);
  const { privateKey, publicKey } = await generateKeyPair(alg, { extractable: true });
  const key = { jwk: { ...(await exportJWK(privateKey)), alg }, kid, alg };
  const header = { jwk: await exportJWK(publicKey) };
  expect(await present(await signToken(key, api.baseUrl, { header }))).toBe(unauthorized);
});

/**
 * Replaces the signature with the second valid one of ECDSA: (r, n - s) for (r, s). RS256 has no second one.
 */
function otherSignature(token: string): string {
  const signed = token.slice(0, token.lastIndexOf('.') + 1);
  const signature = Buffer.from(token.slice(signed.length), 'base64url');
  if (signature.length !== 64) {
    return token;
  }
  const s = orderOfP256 - BigInt(`0x${signature.toString('hex', 32)}`);
  signature.write(s.toString(16).padStart(64, '0'), 32, 'hex');
  return signed + signature.toString('base64url');
}

/** SEC 2 section 2.4.2 */
const orderOfP256 = 0xffffffff00000000ffffffffffffffffbce6faada7179e84f3b9cac2fc632551n;

test('[6.10] accepts both signatures of ES256 (RFC 7518 section 3.4)', async ({ token }) => {
  expect(await present(otherSignature(token))).toBe('200');
});
