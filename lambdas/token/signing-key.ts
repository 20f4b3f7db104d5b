import type { CryptoKey } from 'jose';
import { importJWK } from 'jose/key/import';
import type { SigningAlgorithm } from '../../contract/access-token.ts';
import { keySigningAt, type PrivateJwk, type SigningKeys } from '../../storage/signing-keys.ts';

/** A private key, ready to sign. */
export interface ImportedSigningKey {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly key: CryptoKey;
}

/** Returns the key that signs at the given time (milliseconds since the epoch). */
export type SigningKeyAt = (now: number) => ImportedSigningKey;

/** Imports the keys that may sign, once for each load of the cache. `next` does not sign yet, so it is left out. */
export async function importSigningKeys(keys: SigningKeys): Promise<SigningKeyAt> {
  const [current, previous] = await Promise.all([
    importSigningKey(keys.current),
    keys.previous && importSigningKey(keys.previous),
  ]);
  return (now) => (keySigningAt(keys, now) === keys.current ? current : (previous ?? current));
}

async function importSigningKey(jwk: PrivateJwk): Promise<ImportedSigningKey> {
  const { kid, alg } = jwk;
  return { kid, alg, key: await importJWK(jwk, alg) };
}
