import type { KeySet, Revocation, SigningKeys } from '../../storage/signing-keys.ts';
import { keyCacheSeconds } from '../shared/keys/cache.ts';
import { InternalError } from '../shared/log/log.ts';
import { later, planKeySet, propagationSeconds } from './key-set-plan.ts';
import type { KeyDependencies, KeyStore } from './key-store.ts';

/**
 * Removes a leaked key from the key set and from use, immediately. If it was the key that signs, the next key signs
 * from now on. If the next key was published a moment ago, its tokens may fail for a few minutes where an older key set
 * is cached. A rotation in progress is given up, since the revoked key may be one of its keys.
 *
 * Functions that have cached the key go on signing with it for up to five minutes. Functions that have read the new key
 * set refuse those tokens.
 *
 * @throws {InternalError} when there is no such key
 * @throws {Error} `KeysChangedError` when another operation changed the keys meanwhile: it can be repeated
 */
export async function revokeKey(kid: string, dependencies: KeyDependencies): Promise<Revocation> {
  const { store, now, tokenLifetimeSeconds, log } = dependencies;
  const [keys, published] = await Promise.all([store.readCurrent(), store.readKeySet()]);
  if (keys === undefined || published === undefined || !isKnown(kid, keys.value, published.value)) {
    throw new InternalError('There is no signing key with this id');
  }
  await giveUpRotation(store);
  const remaining = await replaceKey(kid, keys.value, dependencies);
  // Written even when the private keys stay the same: a rotation that is about to finish then finds another version
  // current, and fails.
  await store.writeCurrent(remaining, keys.version);
  const revoked = published.value.keys.find(({ jwk }) => jwk.kid === kid);
  const withoutKey = { keys: published.value.keys.filter((entry) => entry !== revoked) };
  const plan = { keys: remaining, published: withoutKey, now: now(), tokenLifetimeSeconds };
  await store.writeKeySet(planKeySet(plan), published.version);

  const revokedAt = now();
  const signingKid = remaining.current.kid;
  log('WARN', 'keyRevoked', { kid, signing_kid: signingKid });
  const lifetimeSeconds = revoked?.token_lifetime_seconds ?? tokenLifetimeSeconds;
  const after = (seconds: number) => later(revokedAt, seconds).toISOString();
  return {
    kid,
    signing_kid: signingKid,
    revoked_at: revokedAt.toISOString(),
    rejected_from: after(keyCacheSeconds),
    rejected_by_clients_from: after(propagationSeconds),
    tokens_until: after(keyCacheSeconds + lifetimeSeconds),
  };
}

function isKnown(kid: string, keys: SigningKeys, published: KeySet): boolean {
  const publishedKids = published.keys.map(({ jwk }) => jwk.kid);
  return [keys.current.kid, keys.next.kid, ...publishedKids].includes(kid);
}

/** The keys with the revoked one replaced. The revocation of a retired key leaves the keys as they are. */
async function replaceKey(
  kid: string,
  keys: SigningKeys,
  { generateKey }: Pick<KeyDependencies, 'generateKey'>,
): Promise<SigningKeys> {
  const { current, next } = keys;
  if (kid === current.kid) {
    return { current: next, next: await generateKey() };
  }
  return kid === next.kid ? { current, next: await generateKey() } : keys;
}

/** Takes AWSPENDING away. A rotation that is under way then fails at its next step. The next one can start. */
export async function giveUpRotation(store: KeyStore): Promise<void> {
  const { pending } = await store.versions();
  if (pending !== undefined) {
    await store.dropPending(pending);
  }
}
