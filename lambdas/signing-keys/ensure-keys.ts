import { isDeepStrictEqual } from 'node:util';
import type { KeySet } from '../../storage/signing-keys.ts';
import { firstKeySet, planKeySet } from './key-set-plan.ts';
import type { CompleteKeys, KeyDependencies, StoredKeys } from './key-store.ts';
import { requireNext } from './rotation-keys.ts';
import type { Stored } from './secret-versions.ts';

/**
 * Creates the first keys if they are missing. Otherwise it updates the key set to match the stored keys and
 * the lifetime of tokens. A repeated deployment changes no keys. An interrupted deployment is completed, and
 * so is a rotation whose last write was lost.
 *
 * The key set is written before the keys, so that a key never signs before it is published. A key set whose
 * private keys were never written is replaced: its keys never signed. It is then written again with the
 * versions of the keys.
 */
export async function ensureKeys(dependencies: KeyDependencies): Promise<void> {
  const { store, log } = dependencies;
  // Read the key set first. An operation that changes the keys after this read also changes the set, and the
  // write of the set below then fails.
  const published = await store.readKeySet();
  const keys = await store.readCurrent();
  const made = keys === undefined;
  const [whole, set] = made
    ? await makeFirstKeys(published?.version, dependencies)
    : ([await withNextKey(keys, dependencies), published] as const);
  await bringUpToDate(whole, set, dependencies);
  log('INFO', 'keysEnsured', { made });
}

async function makeFirstKeys(
  replaces: string | undefined,
  { store, generateKey, now, tokenLifetimeSeconds }: KeyDependencies,
) {
  const [current, next] = await Promise.all([generateKey(), generateKey()]);
  const value = firstKeySet({ current, next }, now(), tokenLifetimeSeconds);
  const version = await store.writeKeySet(value, replaces);
  return [await store.writeCurrent({ current, next }, undefined), { value, version }] as const;
}

/** Creates a next key if its version is lost. */
async function withNextKey(keys: StoredKeys, { store, generateKey }: KeyDependencies): Promise<CompleteKeys> {
  const { current, next } = keys.value;
  return next === undefined
    ? store.writeCurrent({ current, next: await generateKey() }, keys.version)
    : requireNext(keys);
}

async function bringUpToDate(
  keys: CompleteKeys,
  published: Stored<KeySet> | undefined,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<void> {
  await store.labelNext(keys.nextVersion);
  const before = published?.value ?? firstKeySet(keys.value, now(), tokenLifetimeSeconds);
  const plan = planKeySet({ keys, published: before, now: now(), tokenLifetimeSeconds });
  if (!isDeepStrictEqual(plan, published?.value)) {
    await store.writeKeySet(plan, published?.version);
  }
}
