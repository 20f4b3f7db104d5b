import type { SigningKeys } from '../shared/keys.ts';
import type { KeyDependencies } from './dependencies.ts';
import { firstKeySet, planKeySet, publishes } from './key-set-plan.ts';

/**
 * Makes the first keys if there are none, and publishes the keys that there are if the set lacks them: a second
 * deploy changes nothing, and one that was cut short is completed. The set is written first, so that no key ever
 * signs unpublished; a set without its private keys signed nothing and is replaced.
 */
export async function ensureKeys(dependencies: KeyDependencies): Promise<void> {
  const { store, log } = dependencies;
  const keys = await store.readCurrent();
  const made = keys === undefined;
  if (made) {
    await makeFirstKeys(dependencies);
  } else {
    await publishMissing(keys, dependencies);
  }
  log('INFO', 'keysEnsured', { made });
}

async function makeFirstKeys({ store, generateKey, now }: KeyDependencies): Promise<void> {
  const [current, next] = await Promise.all([generateKey(), generateKey()]);
  const keys = { current, next };
  await store.writeKeySet(firstKeySet(keys, now()));
  await store.writeCurrent(keys);
}

async function publishMissing(
  keys: SigningKeys,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<void> {
  const published = await store.readKeySet();
  if (published === undefined) {
    await store.writeKeySet(firstKeySet(keys, now()));
  } else if (!publishes(published, keys, now())) {
    await store.writeKeySet(planKeySet({ keys, published, now: now(), tokenLifetimeSeconds }));
  }
}
