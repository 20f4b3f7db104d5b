import { type KeySet, keySigningAt, type Revocation, type SigningKeys } from '../../storage/signing-keys.ts';
import { keyCacheSeconds } from '../shared/cache.ts';
import { InternalError } from '../shared/log.ts';
import type { KeyDependencies } from './dependencies.ts';
import { planKeySet, propagationSeconds } from './key-set-plan.ts';
import { KeysChangedError } from './key-store.ts';

/** Each lost race means that a rotation made a step, and there are few of those. */
const maximumAttempts = 10;

/**
 * Takes a leaked key out of the set and out of use at once. If it signed, the next key does so from now on, although
 * a cached key set may lack it: tokens that fail for a few minutes are the price of an emergency. A rotation under
 * way is given up, since its keys may be those that go.
 *
 * Functions that cache the key sign with it for up to five minutes more; their tokens are not accepted.
 *
 * @throws {InternalError} when there is no such key
 */
export async function revokeKey(kid: string, dependencies: KeyDependencies): Promise<Revocation> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await revokeOnce(kid, dependencies);
    } catch (error) {
      if (!(error instanceof KeysChangedError) || attempt === maximumAttempts) {
        throw error;
      }
    }
  }
}

async function revokeOnce(kid: string, dependencies: KeyDependencies): Promise<Revocation> {
  const { store, now, tokenLifetimeSeconds, log } = dependencies;
  const [keys, published] = await Promise.all([store.readCurrent(), store.readKeySet()]);
  if (keys === undefined || published === undefined || !isKnown(kid, keys.value, published.value)) {
    throw new InternalError('There is no signing key with this id');
  }
  await giveUpRotation(dependencies);
  const remaining = await replaceKey(kid, keys.value, dependencies);
  // Written even when none of them goes: a rotation that is just about to let its keys sign finds others, and fails.
  await store.writeCurrent(remaining, keys.version);
  const revoked = published.value.keys.find(({ jwk }) => jwk.kid === kid);
  const withoutKey = { keys: published.value.keys.filter((entry) => entry !== revoked) };
  const plan = { keys: remaining, published: withoutKey, now: now(), tokenLifetimeSeconds };
  await store.writeKeySet(planKeySet(plan), published.version);

  const revokedAt = now();
  const signingKid = keySigningAt(remaining, revokedAt.getTime()).kid;
  log('WARN', 'keyRevoked', { kid, signing_kid: signingKid });
  const lifetimeSeconds = revoked?.token_lifetime_seconds ?? tokenLifetimeSeconds;
  const after = (seconds: number) => new Date(revokedAt.getTime() + seconds * 1000).toISOString();
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
  return [keys.current.kid, keys.next.kid, keys.previous?.kid, ...publishedKids].includes(kid);
}

/** The keys without the revoked one. */
async function replaceKey(
  kid: string,
  keys: SigningKeys,
  { generateKey, now }: Pick<KeyDependencies, 'generateKey' | 'now'>,
): Promise<SigningKeys> {
  const { current, next, previous } = keys;
  if (kid === current.kid) {
    const replaced = { current: next, next: await generateKey() };
    const signer = keySigningAt(keys, now().getTime());
    // A current key that still waits signed nothing: what signs in its place goes on until the next key is known.
    return signer.kid === kid ? replaced : { ...replaced, previous: signer, signs_from: whenKnown(now()) };
  }
  if (kid === next.kid) {
    return { ...keys, next: await generateKey() };
  }
  return kid === previous?.kid ? { current, next } : keys;
}

/** By then no cached key set lacks a key that is published now. */
function whenKnown(now: Date): string {
  return new Date(now.getTime() + propagationSeconds * 1000).toISOString();
}

async function giveUpRotation({ store }: Pick<KeyDependencies, 'store'>): Promise<void> {
  const { pending } = await store.versions();
  if (pending !== undefined) {
    await store.dropPending(pending);
  }
}
