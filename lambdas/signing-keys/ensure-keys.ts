import { isDeepStrictEqual } from 'node:util';
import type { KeySet, SigningKeys } from '../../storage/signing-keys.ts';
import { firstKeySet, planKeySet } from './key-set-plan.ts';
import type { KeyDependencies } from './key-store.ts';
import type { Stored } from './secret-versions.ts';

/**
 * Makes the first keys if there are none. Otherwise it updates the key set to match the stored keys and the lifetime
 * of tokens. A repeated deployment changes nothing. An interrupted deployment is completed, and so is a rotation whose
 * last write was lost.
 *
 * The key set is written before the keys, so that a key never signs before it is published. A key set whose private
 * keys were never written is replaced: none of its keys signed anything.
 */
export async function ensureKeys(dependencies: KeyDependencies): Promise<void> {
  const { store, log } = dependencies;
  // Read the key set first. An operation that changes the keys after this read also changes the set, and our write of
  // the set then fails.
  const published = await store.readKeySet();
  const keys = await store.readCurrent();
  const made = keys === undefined;
  if (made) {
    await makeFirstKeys(published?.version, dependencies);
  } else {
    await bringUpToDate(keys.value, published, dependencies);
  }
  log('INFO', 'keysEnsured', { made });
}

async function makeFirstKeys(
  replaces: string | undefined,
  { store, generateKey, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<void> {
  const [current, next] = await Promise.all([generateKey(), generateKey()]);
  const keys = { current, next };
  await store.writeKeySet(firstKeySet(keys, now(), tokenLifetimeSeconds), replaces);
  await store.writeCurrent(keys, undefined);
}

async function bringUpToDate(
  keys: SigningKeys,
  published: Stored<KeySet> | undefined,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<void> {
  if (published === undefined) {
    await store.writeKeySet(firstKeySet(keys, now(), tokenLifetimeSeconds), undefined);
    return;
  }
  const plan = planKeySet({ keys, published: published.value, now: now(), tokenLifetimeSeconds });
  if (!isDeepStrictEqual(plan, published.value)) {
    await store.writeKeySet(plan, published.version);
  }
}
