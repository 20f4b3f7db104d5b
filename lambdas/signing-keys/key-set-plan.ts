import { documentMaxAgeSeconds } from '../../contract/limits.ts';
import {
  type KeySet,
  type KeySetEntry,
  keySigningAt,
  type PrivateJwk,
  publicJwk,
  type SigningKeys,
} from '../../storage/signing-keys.ts';
import { keyCacheSeconds } from '../shared/cache.ts';

/** Seconds for what caching does not count: requests under way, and clocks that differ. */
const marginSeconds = 60;

/**
 * After this many seconds nobody uses a copy of the key set from before a change: our own function may serve one
 * from memory, and a client may keep what it got for as long as Cache-Control allows.
 */
export const propagationSeconds = keyCacheSeconds + documentMaxAgeSeconds + marginSeconds;

/**
 * How many seconds a key stays published after it was replaced: functions may sign with it for as long as they cache
 * it, the last token lives its whole life, and verifiers get caching time on top.
 */
export function retentionSeconds(tokenLifetimeSeconds: number): number {
  return keyCacheSeconds + tokenLifetimeSeconds + keyCacheSeconds;
}

/** The key set of a deployment that has just made its first keys: nobody holds an older one. */
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
 * The keys of the next rotation: the published next key becomes current, and a fresh one next. When the next key was
 * published so lately that a cached key set may lack it, the key that signs now goes on until that is over; so keys
 * can be rotated as often as anyone likes, and every token verifies.
 */
export function rotatedKeys(keys: SigningKeys, published: KeySet, fresh: PrivateJwk, now: Date): SigningKeys {
  const usableFrom = usableFromOf(keys.next.kid, published, now);
  const rotated = { current: keys.next, next: fresh };
  if (usableFrom.getTime() <= now.getTime()) {
    return rotated;
  }
  return { ...rotated, signs_from: usableFrom.toISOString(), previous: keySigningAt(keys, now.getTime()) };
}

/** A next key that is not in the set at all has to be published first, like a fresh one. */
function usableFromOf(kid: string, published: KeySet, now: Date): Date {
  const entry = published.keys.find(({ jwk }) => jwk.kid === kid);
  return entry?.usable_from === undefined ? later(now, propagationSeconds) : new Date(entry.usable_from);
}

export interface KeySetPlan {
  /** Keys that sign, or will once the rotation is finished. */
  readonly keys: SigningKeys;
  /** Keys that still sign because the rotation is not finished. */
  readonly stillSigning?: SigningKeys;
  readonly published: KeySet;
  readonly now: Date;
  readonly tokenLifetimeSeconds: number;
}

/**
 * The key set to publish. Repeating it with its own outcome changes nothing, so a rotation step can be repeated: an
 * entry that stays in its state keeps its times. A key that signed is retired; until when it is published is set
 * once it does not sign any more. A next key of a rotation that was given up never signed, and goes.
 */
export function planKeySet(plan: KeySetPlan): KeySet {
  const { keys, stillSigning, published, now } = plan;
  const entries = [
    nextEntry(keys, now),
    currentEntry(keys, plan),
    ...(stillSigning === undefined ? [] : stillSigningEntries(stillSigning, plan)),
    ...previousEntries(keys, plan),
    ...retiredEntries(plan),
  ];
  const before = new Map(published.keys.map((entry) => [entry.jwk.kid, entry]));
  const planned = new Map<string, KeySetEntry>();
  for (const entry of entries) {
    const { kid } = entry.jwk;
    if (!planned.has(kid)) {
      planned.set(kid, keepTimes(entry, before.get(kid), now));
    }
  }
  return { keys: [...planned.values()] };
}

/** A key that is in its state already has been so since then, unless it is to come into it later. */
function keepTimes(entry: KeySetEntry, before: KeySetEntry | undefined, now: Date): KeySetEntry {
  if (before?.state !== entry.state) {
    return entry;
  }
  const { usable_from } = before;
  const since = now.getTime() < Date.parse(entry.since) ? entry.since : before.since;
  return { ...entry, since, ...(usable_from === undefined ? {} : { usable_from }) };
}

function nextEntry({ next }: SigningKeys, now: Date): KeySetEntry {
  const usableFrom = later(now, propagationSeconds);
  return {
    jwk: publicJwk(next),
    state: 'next',
    since: now.toISOString(),
    usable_from: usableFrom.toISOString(),
  };
}

function currentEntry({ current, signs_from }: SigningKeys, plan: KeySetPlan): KeySetEntry {
  return {
    jwk: publicJwk(current),
    state: 'current',
    since: signs_from ?? plan.now.toISOString(),
    token_lifetime_seconds: longestLifetimeSeconds(current.kid, plan),
  };
}

/** The setting may have been longer when the key signed its first tokens. */
function longestLifetimeSeconds(kid: string, { published, tokenLifetimeSeconds }: KeySetPlan): number {
  const before = published.keys.find(({ jwk }) => jwk.kid === kid)?.token_lifetime_seconds ?? 0;
  return Math.max(before, tokenLifetimeSeconds);
}

/**
 * The key that signs until `signs_from`, for as long as it must be published. A rotation that is finished only after
 * that time, because it died in between, let it sign until now.
 */
function previousEntries({ previous, signs_from }: SigningKeys, plan: KeySetPlan): readonly KeySetEntry[] {
  if (previous === undefined || signs_from === undefined) {
    return [];
  }
  const { published, now } = plan;
  const lifetime = longestLifetimeSeconds(previous.kid, plan);
  const known = published.keys.find(({ jwk }) => jwk.kid === previous.kid)?.until;
  const stops = known === undefined && signs_from < now.toISOString() ? now : new Date(signs_from);
  const needed = later(stops, retentionSeconds(lifetime)).toISOString();
  const until = known !== undefined && known > needed ? known : needed;
  const jwk = publicJwk(previous);
  return now.toISOString() < until
    ? [{ jwk, state: 'retired', since: signs_from, until, token_lifetime_seconds: lifetime }]
    : [];
}

function stillSigningEntries(stillSigning: SigningKeys, plan: KeySetPlan): readonly KeySetEntry[] {
  const jwk = publicJwk(stillSigning.current);
  const since = plan.now.toISOString();
  const lifetime = longestLifetimeSeconds(jwk.kid, plan);
  return [
    { jwk, state: 'retired', since, token_lifetime_seconds: lifetime },
    ...previousEntries(stillSigning, plan),
  ];
}

/** What was published and may have signed; without what has been published for long enough. */
function retiredEntries(plan: KeySetPlan): readonly KeySetEntry[] {
  const { published, now } = plan;
  const signed = published.keys.filter(({ state }) => state !== 'next');
  return signed
    .map((entry) => retiredEntry(entry, plan))
    .filter(({ until }) => now.getTime() < Date.parse(until));
}

/** A key whose end is known signs nothing any more, so that a longer lifetime of new tokens is not its own. */
function retiredEntry({ jwk, until, token_lifetime_seconds }: KeySetEntry, plan: KeySetPlan) {
  const longest = longestLifetimeSeconds(jwk.kid, plan);
  const lifetime = until === undefined ? longest : (token_lifetime_seconds ?? longest);
  return {
    jwk,
    state: 'retired' as const,
    since: plan.now.toISOString(),
    until: until ?? later(plan.now, retentionSeconds(lifetime)).toISOString(),
    token_lifetime_seconds: lifetime,
  };
}

function later(date: Date, seconds: number): Date {
  return new Date(date.getTime() + seconds * 1000);
}
