import { createPrivateKey, sign } from 'node:crypto';
import type { SigningAlgorithm } from '../../contract/access-token.ts';
import { keySigningAt, type PrivateJwk, type SigningKeys } from '../../storage/signing-keys.ts';

/** A private key, ready to sign. The key itself cannot be taken out. */
export interface ImportedSigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  /** The signature of a JWS in base64url (RFC 7515 section 5.1), for its header and payload. */
  readonly sign: (signingInput: string) => string;
}

/** Returns the key that signs at the given time (milliseconds since the epoch). */
export type SigningKeyAt = (now: number) => ImportedSigningKey;

/** Imports the keys that may sign, once for each load of the cache. `next` does not sign yet, so it is left out. */
export async function importSigningKeys(keys: SigningKeys): Promise<SigningKeyAt> {
  const current = importSigningKey(keys.current);
  const previous = keys.previous && importSigningKey(keys.previous);
  return (now) => (keySigningAt(keys, now) === keys.current ? current : (previous ?? current));
}

/**
 * Signs in this thread. WebCrypto, which jose uses, signs in another one: for one ES256 signature it takes several times
 * the CPU time (docs/decisions/0023).
 */
function importSigningKey(jwk: PrivateJwk): ImportedSigningKey {
  const { kid, alg } = jwk;
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  return {
    kid,
    alg,
    sign: (signingInput) =>
      // RFC 7518 section 3.4: an ES256 signature is R and S, not DER. RS256 ignores the encoding (section 3.3).
      sign('sha256', Buffer.from(signingInput), { key, dsaEncoding: 'ieee-p1363' }).toString('base64url'),
  };
}
