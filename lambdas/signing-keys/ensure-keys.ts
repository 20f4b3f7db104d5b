import { isDeepStrictEqual } from 'node:util';
import type { KeySet, SigningKeys } from '../../storage/signing-keys.ts';
import type { KeyDependencies } from './dependencies.ts';
import { firstKeySet, planKeySet } from './key-set-plan.ts';
import type { Stored } from './key-store.ts';

/**
 * Makes the first keys if there are none; otherwise brings the set up to date with the keys that there are and with
 * the lifetime of tokens. A second deploy changes nothing, and one that was cut short is completed, as is a rotation
 * whose last write was lost. The set is written first, so that no key ever signs unpublished; a set without its
 * private keys signed nothing and is replaced.
 */
export async function ensureKeys(dependencies: KeyDependencies): Promise<void> {
  const { store, log } = dependencies;
  // The set is read before the keys that go into it: whoever changes keys in between has also changed the set.
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
