import { keyCacheSeconds } from '../../../contract/internal/key-cache.ts';
import { documentMaxAgeSeconds } from '../../../contract/limits.ts';
import type { KeySet } from '../../../storage/signing-keys.ts';
import type { Invariant } from '../support/invariants.ts';
import { tokenLifetimeSeconds } from './set-up.ts';

/** Content of a secret from this time until the next write, in milliseconds since the epoch. */
export interface Held<Value> {
  readonly value: Value;
  readonly from: number;
}

/** Keys revoked by one operation. */
export interface RevokedKeys {
  readonly kids: readonly string[];
  readonly isAll: boolean;
  /** Ids of the keys published before `signs` began to sign. */
  readonly known: readonly string[];
  /** Id of the key that signs afterwards. */
  readonly signs: string;
  /** Number of writes before the revocation. */
  readonly began: number;
  /** True if one of the keys signed before. */
  readonly wasSigning: boolean;
  readonly at: number;
}

/** Contents of the two secrets, revoked keys with their times, and reasons of failed operations. */
export interface Past {
  /** Ids of the keys that `token` could read and sign with. */
  readonly keys: readonly Held<string>[];
  readonly sets: readonly Held<KeySet>[];
  readonly revoked: readonly RevokedKeys[];
  readonly failures: readonly string[];
  /** Versions at the end: by label, and by the current key and the key set. */
  readonly labels: {
    readonly next: string | undefined;
    readonly current: string | undefined;
    readonly named: string | undefined;
    readonly published: readonly string[];
  };
  readonly end: number;
}

const cached = keyCacheSeconds * 1000;
const lifetime = tokenLifetimeSeconds * 1000;

/**
 * Returns the times during which a function may sign with each key, including the cache time after a change.
 */
function signing({ keys, end }: Past) {
  return keys.map(({ value, from }, index) => {
    return { kid: value, from, to: (keys[index + 1]?.from ?? end) + cached };
  });
}

/** Every key set in use for verification contains the key of each token while the token is valid. */
function everyTokenVerifies(past: Past) {
  const { sets, revoked, end } = past;
  return signing(past).flatMap(({ kid, from, to }) => {
    // A key that replaces a revoked one may sign before all verifiers know it: the price of an emergency.
    const revocations = revoked.filter(({ at }) => at <= from).map(({ at }) => at);
    const oldest = Math.max(from - cached - documentMaxAgeSeconds * 1000, ...revocations);
    // Tokens of a revoked key may be rejected.
    const ownRevocations = revoked.filter(({ kids }) => kids.includes(kid)).map(({ at }) => at);
    const newest = Math.min(to + lifetime, end, ...ownRevocations);
    return sets.flatMap(({ value, from: since }, index) => {
      const replaced = sets[index + 1]?.from ?? end;
      if (oldest >= newest || replaced <= oldest || since >= newest) {
        return [];
      }
      const entry = value.keys.find(({ jwk }) => jwk.kid === kid);
      const needed = Math.min(replaced + cached, newest);
      const isFull = entry !== undefined && !(Date.parse(entry.until ?? '') < needed);
      return isFull ? [] : [{ kid, from, to, set: since, replaced, until: entry?.until }];
    });
  });
}

type Invariants = Readonly<Record<string, Invariant<Past>>>;

/** Also checked for functions and clients with the oldest key set that their caches allow. */
export const always: Invariants = {
  'every token verifies until it expires': everyTokenVerifies,
  'an operation fails only if its function dies': ({ failures }) => failures,
  // The labels match the current key and the key set, and never label the same version.
  'the labels end where the keys say': ({ labels: { next, current, named, published } }) => {
    const right =
      next === named && next !== current && [next, current].every((id) => published.includes(id ?? ''));
    return right ? [] : [{ next, current, named, published }];
  },
};

export const alsoAfterRevocations: Invariants = {
  ...always,
  'a revoked key is never published again': ({ revoked, sets }) =>
    revoked.flatMap(({ kids, at }) =>
      sets.filter(({ from, value }) => from > at && value.keys.some(({ jwk }) => kids.includes(jwk.kid))),
    ),
  'a revoked key never signs again': ({ revoked, keys }) =>
    revoked.flatMap(({ kids, at }) => keys.filter(({ from, value }) => from > at && kids.includes(value))),
  // If the revoked key was signing, no key that `token` could read before the revocation signs after it.
  'no key that token could read before signs again': ({ revoked, keys }) =>
    revoked
      .filter(({ wasSigning }) => wasSigning)
      .flatMap(({ began, at }) => {
        const read = keys.slice(0, began).map(({ value }) => value);
        return keys.filter(({ from, value }) => from > at && read.includes(value));
      }),
  // After the revocation of one key, the new signing key was already published, if only a moment ago.
  'a published key takes over from one key': ({ revoked }) =>
    revoked.filter(({ isAll, known, signs }) => !isAll && !known.includes(signs)),
};
