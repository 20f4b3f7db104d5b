import { keyCacheSeconds } from '../../contract/internal/key-cache.ts';
import { documentMaxAgeSeconds } from '../../contract/limits.ts';
import { type KeySet, type KeySetEntry, type PrivateJwk, publicJwk } from '../../storage/signing-keys.ts';
import type { CompleteKeys, SigningKeys, StoredKeys } from './key-store.ts';

/** Seconds to add to the caching times, for requests in progress and for clocks that differ. */
const marginSeconds = 60;

/**
 * Seconds after which all old copies of the key set are out of use. Our own function may serve an old copy
 * from memory, and a client may then cache that copy for the time that Cache-Control allows.
 */
export const propagationSeconds = keyCacheSeconds + documentMaxAgeSeconds + marginSeconds;

/**
 * Returns the seconds for which a replaced key stays published. They are the sum of three times: the time for
 * which functions may cache the key and sign with it, the lifetime of the last token, and the time for which
 * verifiers may cache the key set.
 */
export function retentionSeconds(tokenLifetimeSeconds: number): number {
  return keyCacheSeconds + tokenLifetimeSeconds + keyCacheSeconds;
}

/**
 * Returns the key set of a deployment's first keys. They may sign immediately, because no older key set is
 * cached.
 */
export function firstKeySet(keys: SigningKeys, now: Date, tokenLifetimeSeconds: number): KeySet {
  const since = now.toISOString();
  return {
    keys: [
      { jwk: publicJwk(keys.next), state: 'next', since, usable_from: since },
      {
        jwk: publicJwk(keys.current),
        state: 'current',
        since,
        token_lifetime_seconds: tokenLifetimeSeconds,
      },
    ],
  };
}

/**
 * Returns the keys after a rotation: the published next key becomes current, and a new key becomes next.
 * Cached key sets may lack a next key that was published a moment ago. The keys then stay the same. So every
 * token verifies, whatever the frequency of rotations, and the next key signs after at most one more
 * rotation.
 */
export function rotatedKeys(
  { current, next }: StoredKeys['value'],
  published: KeySet,
  fresh: PrivateJwk,
  now: Date,
): SigningKeys {
  return next !== undefined && isUsable(next.kid, published, now)
    ? { current: next, next: fresh }
    : { current, next: next ?? fresh };
}

/**
 * True if a next key may sign. An abandoned rotation may have left its entry as `current`, without the time.
 */
function isUsable(kid: string, published: KeySet, now: Date): boolean {
  const entry = published.keys.find(({ jwk }) => jwk.kid === kid);
  if (entry === undefined) {
    return false;
  }
  const { usable_from = later(new Date(entry.since), propagationSeconds).toISOString() } = entry;
  return usable_from <= now.toISOString();
}

/** Keys to publish. */
export interface PublishableKeys {
  /** Keys that sign, or will sign once the rotation is finished. */
  readonly keys: CompleteKeys;
  /** Keys that sign until the rotation is finished. */
  readonly stillSigning?: StoredKeys;
}

interface KeySetPlan extends PublishableKeys {
  readonly published: KeySet;
  readonly now: Date;
  readonly tokenLifetimeSeconds: number;
}

/**
 * Returns the key set to publish. Planning again from the result returns the same key set, so a rotation step
 * can be repeated: an entry whose state does not change keeps its times.
 *
 * A key that signed stays in the set as retired. Its `until` is set when it stops signing. The next key of an
 * abandoned rotation never signed, so it is removed.
 */
export function planKeySet(plan: KeySetPlan): KeySet {
  const { keys, stillSigning, published, now } = plan;
  const entries = [
    nextEntry(keys, now),
    currentEntry(keys, plan),
    ...(stillSigning === undefined ? [] : [stillSigningEntry(stillSigning, plan)]),
    ...retiredEntries(plan),
  ];
  const before = new Map(published.keys.map((entry) => [entry.jwk.kid, entry]));
  const planned = new Map<string, KeySetEntry>();
  for (const entry of entries) {
    const { kid } = entry.jwk;
    // The first entry of a key counts: a published key may be both current and still signing.
    if (!planned.has(kid)) {
      planned.set(kid, keepTimes(entry, before.get(kid)));
    }
  }
  return { keys: [...planned.values()] };
}

/** Returns an entry with its earlier times, if its state does not change. */
function keepTimes(entry: KeySetEntry, before: KeySetEntry | undefined): KeySetEntry {
  if (before?.state !== entry.state) {
    return entry;
  }
  const { since, usable_from } = before;
  return { ...entry, since, ...(usable_from === undefined ? {} : { usable_from }) };
}

function nextEntry({ value, nextVersion }: CompleteKeys, now: Date): KeySetEntry {
  return {
    jwk: publicJwk(value.next),
    state: 'next',
    version: nextVersion,
    since: now.toISOString(),
    usable_from: later(now, propagationSeconds).toISOString(),
  };
}

function currentEntry({ value, version }: CompleteKeys, plan: KeySetPlan): KeySetEntry {
  return {
    jwk: publicJwk(value.current),
    state: 'current',
    version,
    since: plan.now.toISOString(),
    token_lifetime_seconds: maxLifetimeSeconds(value.current.kid, plan),
  };
}

/**
 * Returns the longest lifetime of the key's tokens: the setting may have been longer when the key signed its
 * first tokens.
 */
function maxLifetimeSeconds(kid: string, { published, tokenLifetimeSeconds }: KeySetPlan): number {
  const before = published.keys.find(({ jwk }) => jwk.kid === kid)?.token_lifetime_seconds ?? 0;
  return Math.max(before, tokenLifetimeSeconds);
}

function stillSigningEntry({ value, version }: StoredKeys, plan: KeySetPlan): KeySetEntry {
  const jwk = publicJwk(value.current);
  const since = plan.now.toISOString();
  const lifetime = maxLifetimeSeconds(jwk.kid, plan);
  return { jwk, state: 'retired', version, since, token_lifetime_seconds: lifetime };
}

/** Returns the entries of published keys that may have signed, except those whose publication is over. */
function retiredEntries(plan: KeySetPlan): readonly KeySetEntry[] {
  const { published, now } = plan;
  const signed = published.keys.filter(({ state }) => state !== 'next');
  return signed
    .map((entry) => retiredEntry(entry, plan))
    .filter(({ until }) => now.getTime() < Date.parse(until));
}

/**
 * Returns the entry of a retired key. A key with an `until` no longer signs, so a longer lifetime of new
 * tokens does not apply to it.
 */
function retiredEntry({ jwk, until, token_lifetime_seconds }: KeySetEntry, plan: KeySetPlan) {
  const longest = maxLifetimeSeconds(jwk.kid, plan);
  const lifetime = until === undefined ? longest : (token_lifetime_seconds ?? longest);
  return {
    jwk,
    state: 'retired' as const,
    since: plan.now.toISOString(),
    until: until ?? later(plan.now, retentionSeconds(lifetime)).toISOString(),
    token_lifetime_seconds: lifetime,
  };
}

/** Adds seconds to a time. */
export function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
