import { compareStates, type KeySet, publishedKeys } from '../../storage/signing-keys.ts';

/** The public key set (RFC 7517 section 5): the current key first, then the next one, then retired ones. */
export function keySetDocument(keySet: KeySet, now: number) {
  return {
    keys: publishedKeys(keySet, now)
      .toSorted(compareStates)
      .map(({ jwk }) => jwk),
  };
}
