import { documentMaxAgeSeconds } from '../../../contract/limits.ts';
import { keyCacheSeconds } from '../../../lambdas/shared/keys/cache.ts';
import type { KeySet } from '../../../storage/signing-keys.ts';
import { tokenLifetimeSeconds } from './set-up.ts';

/** What a secret held from this time on until the next write, in milliseconds since the epoch. */
export interface Held<Value> {
  readonly value: Value;
  readonly from: number;
}

/** Keys that were revoked together. */
export interface RevokedKeys {
  readonly kids: readonly string[];
  readonly isAll: boolean;
  /** The ids of the keys that were published before. */
  readonly before: readonly string[];
  /** The key that signs afterwards. */
  readonly signs: string;
  /** How many writes there had been before. */
  readonly began: number;
  /** Whether one of the keys signed before. */
  readonly wasSigning: boolean;
  readonly at: number;
}

/** What the two secrets held, which keys were revoked when, and why operations failed. */
export interface Past {
  /** Ids of the keys that `token` could read and sign with. */
  readonly keys: readonly Held<string>[];
  readonly sets: readonly Held<KeySet>[];
  readonly revoked: readonly RevokedKeys[];
  readonly failures: readonly string[];
  /** Versions in the end: with the labels, and as the current key and the key set name them. */
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

/** The times at which some function may sign with a key: it may hold a value for as long as it may cache one. */
function signing({ keys, end }: Past) {
  return keys.map(({ value, from }, index) => {
    return { kid: value, from, to: (keys[index + 1]?.from ?? end) + cached };
  });
}

/** Every key set that somebody verifies tokens with has the keys of those tokens while they are valid. */
export function everyTokenVerifies(past: Past) {
  const { sets, revoked, end } = past;
  return signing(past).flatMap(({ kid, from, to }) => {
    // A key that replaces a revoked one may sign before everybody knows it: the price of an emergency.
    const revocations = revoked.filter(({ at }) => at <= from).map(({ at }) => at);
    const oldest = Math.max(from - cached - documentMaxAgeSeconds * 1000, ...revocations);
    // Tokens of a revoked key need not verify.
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

/** An operation ends well, unless its function dies. */
export const noOperationFails = ({ failures }: Past) => failures;

export function noRevokedKeyIsPublished({ revoked, sets }: Past) {
  return revoked.flatMap(({ kids, at }) =>
    sets.filter(({ from, value }) => from > at && value.keys.some(({ jwk }) => kids.includes(jwk.kid))),
  );
}

export function noRevokedKeySigns({ revoked, keys }: Past) {
  return revoked.flatMap(({ kids, at }) =>
    keys.filter(({ from, value }) => from > at && kids.includes(value)),
  );
}

/** Whoever read all that `token` could read before a revocation of the key that signs has no key that signs after it. */
export function noKeyThatTokenReadSigns({ revoked, keys }: Past) {
  return revoked
    .filter(({ wasSigning }) => wasSigning)
    .flatMap(({ began, at }) => {
      const read = keys.slice(0, began).map(({ value }) => value);
      return keys.filter(({ from, value }) => from > at && read.includes(value));
    });
}

/** After the revocation of one key, a key signs that verifiers could know. */
export function aPublishedKeyTakesOver({ revoked }: Past) {
  return revoked.filter(({ isAll, before, signs }) => !isAll && !before.includes(signs));
}

/** The labels stand where the current key and the key set say, and never on one version. */
export function labelsAreRight({ labels: { next, current, named, published } }: Past) {
  const right =
    next === named && next !== current && [next, current].every((id) => published.includes(id ?? ''));
  return right ? [] : [{ next, current, named, published }];
}
