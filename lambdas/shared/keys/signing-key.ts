import { createPrivateKey, sign } from 'node:crypto';
import { accessTokenType } from '../../../contract/access-token.ts';
import type { PrivateJwk } from '../../../storage/signing-keys.ts';

/** Signs the claims of an access token (RFC 7515 section 7.1, compact serialization). */
export type SignToken = (claims: object) => string;

/**
 * Imports a private key for signing. The key itself cannot be exported.
 *
 * Signs in this thread. jose uses WebCrypto, which signs in another thread. One ES256 signature then takes
 * several times the CPU time.
 */
export function importSigningKey(jwk: PrivateJwk): SignToken {
  const { kid, alg } = jwk;
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const header = base64url({ alg, typ: accessTokenType, kid });
  return (claims) => {
    const signingInput = `${header}.${base64url(claims)}`;
    // RFC 7518 section 3.4: an ES256 signature is R and S, not DER. RS256 ignores the encoding (section 3.3).
    const signature = sign('sha256', Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' });
    return `${signingInput}.${signature.toString('base64url')}`;
  };
}

function base64url(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}
