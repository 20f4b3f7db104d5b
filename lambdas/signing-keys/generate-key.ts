import { calculateJwkThumbprint } from 'jose/jwk/thumbprint';
import { exportJWK } from 'jose/key/export';
import { generateKeyPair } from 'jose/key/generate/keypair';
import type { SigningAlgorithm } from '../../contract/access-token.ts';
import { type PrivateJwk, readPrivateJwk } from '../../storage/signing-keys.ts';

/**
 * Creates a signing key: P-256 for ES256, RSA of 2048 bits for RS256. Its id is its thumbprint (RFC 7638),
 * and never begins with "-": `signing-key revoke KID` would parse such an id as an option.
 */
export async function generateKey(alg: SigningAlgorithm): Promise<PrivateJwk> {
  const { privateKey } = await generateKeyPair(alg, { extractable: true });
  const jwk = await exportJWK(privateKey);
  const kid = await calculateJwkThumbprint(jwk);
  return kid.startsWith('-') ? generateKey(alg) : readPrivateJwk({ ...jwk, kid, alg });
}
