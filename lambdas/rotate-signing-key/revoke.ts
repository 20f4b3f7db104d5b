import { keyCacheSeconds } from '../shared/cache.ts';
import { type KeySet, type SigningKeys, signerAt } from '../shared/keys.ts';
import { InternalError } from '../shared/log.ts';
import type { KeyDependencies } from './dependencies.ts';
import { planKeySet, propagationSeconds } from './key-set-plan.ts';

/** What became of a revoked key. Times are ISO 8601. */
export interface Revocation {
  readonly kid: string;
  /** The key that signs from now on. */
  readonly signing_kid: string;
  readonly revoked_at: string;
  /** From when the service itself takes no token of the key any more: its functions cache the key set. */
  readonly rejected_from: string;
  /** From when clients that verify tokens themselves take none, if they heed Cache-Control. */
  readonly rejected_by_clients_from: string;
  /** When the last token that the key signed would have expired; every one before that is dead already. */
  readonly tokens_until: string;
}

/**
 * Takes a leaked key out of the set and out of use at once. If it signed, the next key does so from now on, although
 * a cached key set may lack it: tokens that fail for a few minutes are the price of an emergency. A rotation under
 * way is given up, since its keys were made from the ones that are replaced here.
 *
 * Functions that cache the key sign with it for up to five minutes more; their tokens are not accepted.
 *
 * @throws {InternalError} when there is no such key
 */
export async function revokeKey(kid: string, dependencies: KeyDependencies): Promise<Revocation> {
  const { store, now, tokenLifetimeSeconds, log } = dependencies;
  const [keys, published] = await Promise.all([store.readCurrent(), store.readKeySet()]);
  if (keys === undefined || published === undefined || !isKnown(kid, keys, published)) {
    throw new InternalError('There is no signing key with this id');
  }
  const revokedAt = now();
  const remaining = await replaceKey(kid, keys, dependencies);
  if (remaining !== keys) {
    await giveUpRotation(dependencies);
    await store.writeCurrent(remaining);
  }
  const withoutKey = { keys: published.keys.filter(({ jwk }) => jwk.kid !== kid) };
  await store.writeKeySet(
    planKeySet({ keys: remaining, published: withoutKey, now: revokedAt, tokenLifetimeSeconds }),
  );
  const signingKid = signerAt(remaining, revokedAt.getTime()).kid;
  log('WARN', 'keyRevoked', { kid, signing_kid: signingKid });

  const after = (seconds: number) => new Date(revokedAt.getTime() + seconds * 1000).toISOString();
  return {
    kid,
    signing_kid: signingKid,
    revoked_at: revokedAt.toISOString(),
    rejected_from: after(keyCacheSeconds),
    rejected_by_clients_from: after(propagationSeconds),
    tokens_until: after(keyCacheSeconds + tokenLifetimeSeconds),
  };
}

function isKnown(kid: string, keys: SigningKeys, published: KeySet): boolean {
  const publishedKids = published.keys.map(({ jwk }) => jwk.kid);
  return [keys.current.kid, keys.next.kid, keys.previous?.kid, ...publishedKids].includes(kid);
}

/** The keys without the revoked one; the same object when it is none of them. */
async function replaceKey(
  kid: string,
  keys: SigningKeys,
  { generateKey, now }: Pick<KeyDependencies, 'generateKey' | 'now'>,
): Promise<SigningKeys> {
  const { current, next, previous } = keys;
  if (kid === current.kid) {
    const replaced = { current: next, next: await generateKey() };
    const signer = signerAt(keys, now().getTime());
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
  const { current, pending } = await store.versions();
  if (pending !== undefined && pending !== current) {
    await store.dropPending(pending);
  }
}
