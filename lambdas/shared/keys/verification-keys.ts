import type { CryptoKey } from 'jose';
import { importJWK } from 'jose/key/import';
import type { SigningAlgorithm } from '../../../contract/access-token.ts';
import { type KeySet, type KeySetEntry, publishedKeys } from '../../../storage/signing-keys.ts';
import type { Cache } from './cache.ts';

/** A published key, ready to verify signatures of its own algorithm. */
export interface VerificationKey {
  readonly alg: SigningAlgorithm;
  readonly key: CryptoKey;
}

/** Finds the published key that a token names. */
export type FindKey = (kid: string) => Promise<VerificationKey | undefined>;

/** A key set whose keys were imported at load time, not for each request. */
interface ImportedKeySet {
  readonly keySet: KeySet;
  readonly keys: ReadonlyMap<string, VerificationKey>;
}

export async function importKeySet(keySet: KeySet): Promise<ImportedKeySet> {
  const entries = await Promise.all(keySet.keys.map(importEntry));
  return { keySet, keys: new Map(entries) };
}

async function importEntry({ jwk }: KeySetEntry): Promise<readonly [string, VerificationKey]> {
  return [jwk.kid, { alg: jwk.alg, key: await importJWK(jwk, jwk.alg) }];
}

/**
 * Creates a search in the cached key set. An unknown `kid` may name a key that was published a moment ago. So
 * the set is loaded again immediately, at the rate that the cache allows. A `kid` that is not a thumbprint
 * cannot be one of our keys, so it causes no load.
 *
 * @param now milliseconds since the epoch
 */
export function createFindKey(
  cache: Pick<Cache<ImportedKeySet>, 'get' | 'refresh'>,
  now: () => number,
): FindKey {
  return async (kid) => {
    const known = find(await cache.get(), kid, now());
    if (known !== undefined || !thumbprint.test(kid)) {
      return known;
    }
    return find(await cache.refresh(), kid, now());
  };
}

/** SHA-256 in base64url (RFC 7638 section 3.1). */
const thumbprint = /^[A-Za-z0-9_-]{43}$/;

function find({ keySet, keys }: ImportedKeySet, kid: string, now: number): VerificationKey | undefined {
  const published = publishedKeys(keySet, now).some(({ jwk }) => jwk.kid === kid);
  return published ? keys.get(kid) : undefined;
}
