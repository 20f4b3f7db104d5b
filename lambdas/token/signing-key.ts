import { keySigningAt, type SigningKeys } from '../../storage/signing-keys.ts';
import { importSigningKey, type SignToken } from '../shared/keys/signing-key.ts';

/** Returns what signs at the given time (milliseconds since the epoch). */
export type SignTokenAt = (now: number) => SignToken;

/** Imports the keys that may sign, once for each load of the cache. `next` does not sign yet, so it is left out. */
export function importSigningKeys(keys: SigningKeys): SignTokenAt {
  const current = importSigningKey(keys.current);
  const previous = keys.previous && importSigningKey(keys.previous);
  return (now) => (keySigningAt(keys, now) === keys.current ? current : (previous ?? current));
}
