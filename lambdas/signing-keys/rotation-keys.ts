import type { KeySet } from '../../storage/signing-keys.ts';
import { InternalError } from '../shared/log/log.ts';
import type { CompleteKeys, KeyStore, StoredKeys } from './key-store.ts';
import { KeysChangedError, type Stored } from './secret-versions.ts';

/**
 * Reads the keys that the rotation prepares, and the keys that still sign.
 *
 * @throws {InternalError} if the rotation prepared no keys, or the keys changed since it began
 */
export async function readKeysOfRotation(token: string, store: KeyStore) {
  const [current, pending] = await Promise.all([readCurrent(store), store.readVersion(token)]);
  if (pending === undefined) {
    throw new InternalError('This rotation has prepared no keys');
  }
  await requireUnchangedKeys(token, pending, current, store);
  return { keys: requireNext(pending), stillSigning: current, replaces: current.version };
}

/**
 * True if these are the current keys, and not keys that a rotation prepared. The version in which Secrets
 * Manager tests the function may be a copy of the current one.
 */
export function holdsCurrentKeys({ value: keys }: StoredKeys, { value: current }: StoredKeys): boolean {
  return keys.current.kid === current.current.kid && keys.next?.kid === current.next?.kid;
}

/**
 * Returns the keys with the next key, whose version a late read may miss.
 *
 * @throws {KeysChangedError} if the next key is missing
 */
export function requireNext({ value, version, nextVersion }: StoredKeys): CompleteKeys {
  const { next } = value;
  if (next === undefined || nextVersion === undefined) {
    throw new KeysChangedError();
  }
  return { value: { ...value, next }, version, nextVersion };
}

/**
 * Abandons the rotation if the keys changed since it began, for example by a revocation. Keys that were
 * prepared from the older ones must never sign, and AWSPENDING must not block the next rotation.
 *
 * @throws {InternalError} if the rotation was abandoned
 */
export async function requireUnchangedKeys(
  token: string,
  pending: StoredKeys,
  current: StoredKeys,
  store: KeyStore,
): Promise<void> {
  if (pending.value.follows !== current.version) {
    await store.dropPending(token);
    throw new InternalError('The keys changed since this rotation began: it was given up, rotate again');
  }
}

/** @throws {InternalError} if there are no signing keys */
export async function readCurrent(store: KeyStore): Promise<StoredKeys> {
  const keys = await store.readCurrent();
  if (keys === undefined) {
    throw new InternalError('There are no signing keys yet');
  }
  return keys;
}

/** @throws {InternalError} if there is no key set */
export async function readKeySet(store: KeyStore): Promise<Stored<KeySet>> {
  const keySet = await store.readKeySet();
  if (keySet === undefined) {
    throw new InternalError('There is no key set yet');
  }
  return keySet;
}
