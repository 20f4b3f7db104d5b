import { documentMaxAgeSeconds } from '../../../contract/limits.ts';
import { keyCacheSeconds } from '../../../lambdas/shared/keys/cache.ts';
import type { KeySet, SigningKeys } from '../../../storage/signing-keys.ts';
import { tokenLifetimeSeconds } from './set-up.ts';

/** What a secret held from this time on until the next write, in milliseconds since the epoch. */
export interface Held<Value> {
  readonly value: Value;
  readonly from: number;
}

/** What the two secrets held, which keys were revoked when, and why operations failed. */
export interface Past {
  readonly keys: readonly Held<SigningKeys>[];
  readonly sets: readonly Held<KeySet | undefined>[];
  readonly revoked: readonly { readonly kid: string; readonly at: number }[];
  readonly failures: readonly string[];
  readonly end: number;
}

const cached = keyCacheSeconds * 1000;
const lifetime = tokenLifetimeSeconds * 1000;

/** The times at which some function may sign with a key: it may hold a value for as long as it may cache one. */
function signing({ keys, end }: Past) {
  return keys.map(({ value, from }, index) => {
    return { kid: value.current.kid, from, to: (keys[index + 1]?.from ?? end) + cached };
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
    const ownRevocations = revoked.filter((one) => one.kid === kid).map(({ at }) => at);
    const newest = Math.min(to + lifetime, end, ...ownRevocations);
    return sets.flatMap(({ value, from: since }, index) => {
      const replaced = sets[index + 1]?.from ?? end;
      if (oldest >= newest || replaced <= oldest || since >= newest) {
        return [];
      }
      const entry = value?.keys.find(({ jwk }) => jwk.kid === kid);
      const needed = Math.min(replaced + cached, newest);
      const isEnough = entry !== undefined && !(Date.parse(entry.until ?? '') < needed);
      return isEnough ? [] : [{ kid, from, to, set: since, replaced, until: entry?.until }];
    });
  });
}

/** An operation ends well, unless its function dies. */
export const noOperationFails = ({ failures }: Past) => failures;

export function noRevokedKeyIsPublished({ revoked, sets }: Past) {
  return revoked.flatMap(({ kid, at }) =>
    sets.filter(({ from, value }) => from > at && value?.keys.some(({ jwk }) => jwk.kid === kid)),
  );
}

/** A revoked key is neither the one that signs nor the next one. */
export function noRevokedKeySigns({ revoked, keys }: Past) {
  return revoked.flatMap(({ kid, at }) =>
    keys.filter(({ from, value }) => from > at && [value.current.kid, value.next.kid].includes(kid)),
  );
}
