import type { CryptoKey } from 'jose';
import { importJWK } from 'jose/key/import';
import type { SigningAlgorithm } from '../shared/contract.ts';
import { type PrivateJwk, type SigningKeys, signerAt } from '../shared/keys.ts';

/** A private key, ready to sign. */
export interface Signer {
  readonly kid: string;
  readonly alg: SigningAlgorithm;
  readonly key: CryptoKey;
}

/** Gives the key that signs at a time (milliseconds since the epoch). */
export type SignerAt = (now: number) => Signer;

/** Imports the keys that may sign, once for as long as they are cached. `next` signs nothing yet. */
export async function importSigners(keys: SigningKeys): Promise<SignerAt> {
  const candidates = [keys.current, ...(keys.previous === undefined ? [] : [keys.previous])];
  const signers = new Map(await Promise.all(candidates.map(importSigner)));
  return (now) => {
    const { kid } = signerAt(keys, now);
    const signer = signers.get(kid);
    if (signer === undefined) {
      throw new RangeError('No signer for the current key');
    }
    return signer;
  };
}

async function importSigner(jwk: PrivateJwk): Promise<readonly [string, Signer]> {
  const { kid, alg } = jwk;
  return [kid, { kid, alg, key: await importJWK(jwk, alg) }];
}
