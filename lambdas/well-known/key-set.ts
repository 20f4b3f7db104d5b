import { type KeySet, publishedKeys } from '../shared/keys.ts';

const order = { current: 0, next: 1, retired: 2 } as const;

/** The public key set (RFC 7517 section 5): the key that signs first, then the next one, then retired ones. */
export function keySetDocument(keySet: KeySet, now: number) {
  const published = publishedKeys(keySet, now).toSorted((a, b) => order[a.state] - order[b.state]);
  return { keys: published.map(({ jwk }) => jwk) };
}
