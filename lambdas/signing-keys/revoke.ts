import { keyCacheSeconds } from '../../contract/internal/key-cache.ts';
import type { Revocation } from '../../storage/revocation.ts';
import type { KeySet, PrivateJwk } from '../../storage/signing-keys.ts';
import { InternalError } from '../shared/log/log.ts';
import { later, planKeySet, propagationSeconds } from './key-set-plan.ts';
import type { KeyDependencies, KeyStore, StoredKeys } from './key-store.ts';

/** Ids of the keys to revoke: one, or all. */
export type Revoked = string | 'all';

/**
 * Removes leaked keys from the key set and from use, immediately. If the current key is one of them, the next
 * key signs from now on, which `token` could not read before. If the next key was published a moment ago, its
 * tokens may fail for a few minutes at verifiers with an older key set. If all keys are revoked, the new
 * current key is in no cached key set. A rotation in progress is abandoned, because a revoked key may be one
 * of its keys.
 *
 * Functions that have cached a key continue to sign with it for up to five minutes. Functions that have read
 * the new key set reject those tokens.
 *
 * @param retry repeats an attempt while other operations change the keys
 * @returns one entry for each revoked key
 * @throws {InternalError} if the key does not exist
 */
export async function revokeKeys(
  which: Revoked,
  dependencies: KeyDependencies,
  retry: (attempt: () => Promise<readonly Revocation[]>) => Promise<readonly Revocation[]>,
): Promise<readonly Revocation[]> {
  const { keys, published } = await readKeys(dependencies.store);
  if (which !== 'all' && !knownKids(keys, published.value).includes(which)) {
    throw noSuchKey();
  }
  // Not read again: a failed attempt, or the other operation, may have removed the key from the set.
  return retry(() => tryToRevoke(which, dependencies));
}

/** @throws {Error} `KeysChangedError` if another operation changed the keys meanwhile; repeat the call */
async function tryToRevoke(which: Revoked, dependencies: KeyDependencies): Promise<readonly Revocation[]> {
  const { store, generateKey, now, tokenLifetimeSeconds, log } = dependencies;
  const { keys, published } = await readKeys(store);
  const revoked = which === 'all' ? knownKids(keys, published.value) : [which];
  const isLeft = ({ kid }: { readonly kid: string }) => !revoked.includes(kid);
  await abandonRotation(store);
  // The keys that are left move up, and fresh keys follow.
  const left = privateKeysOf(keys).filter(isLeft);
  const [current = await generateKey(), next = await generateKey()] = left;
  // Written even when the private keys stay the same: a rotation that is about to finish then finds another version
  // current, and fails.
  const remaining = await store.writeCurrent({ current, next }, keys.version);
  await store.labelNext(remaining.nextVersion);
  const withoutKeys = { keys: published.value.keys.filter(({ jwk }) => isLeft(jwk)) };
  const plan = { keys: remaining, published: withoutKeys, now: now(), tokenLifetimeSeconds };
  await store.writeKeySet(planKeySet(plan), published.version);

  const revokedAt = now();
  const after = (seconds: number) => later(revokedAt, seconds).toISOString();
  return revoked.map((kid) => {
    const ids = { kid, signing_kid: current.kid };
    log('WARN', 'keyRevoked', ids);
    const entry = published.value.keys.find(({ jwk }) => jwk.kid === kid);
    const lifetimeSeconds = entry?.token_lifetime_seconds ?? tokenLifetimeSeconds;
    return {
      ...ids,
      revoked_at: revokedAt.toISOString(),
      rejected_from: after(keyCacheSeconds),
      rejected_by_clients_from: after(propagationSeconds),
      tokens_until: after(keyCacheSeconds + lifetimeSeconds),
    };
  });
}

/** @throws {InternalError} if there are no keys */
async function readKeys(store: KeyStore) {
  const [keys, published] = await Promise.all([store.readCurrent(), store.readKeySet()]);
  if (keys === undefined || published === undefined) {
    throw noSuchKey();
  }
  return { keys, published };
}

function noSuchKey(): InternalError {
  return new InternalError('There is no signing key with this id');
}

/** Ids of the private keys, and of every key in the set. */
function knownKids(keys: StoredKeys, published: KeySet): readonly string[] {
  const all = [...privateKeysOf(keys), ...published.keys.map(({ jwk }) => jwk)];
  return [...new Set(all.map(({ kid }) => kid))];
}

function privateKeysOf({ value: { current, next } }: StoredKeys): readonly PrivateJwk[] {
  return next === undefined ? [current] : [current, next];
}

/** Removes AWSPENDING. A rotation in progress then fails at its next step. The next one can start. */
export async function abandonRotation(store: KeyStore): Promise<void> {
  const { pending } = await store.versions();
  if (pending !== undefined) {
    await store.dropPending(pending);
  }
}
