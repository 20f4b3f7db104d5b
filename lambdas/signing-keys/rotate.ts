import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import type { KeySet, PrivateJwk } from '../../storage/signing-keys.ts';
import { importSigningKey } from '../shared/keys/signing-key.ts';
import { InternalError } from '../shared/log/log.ts';
import { type PublishableKeys, planKeySet, rotatedKeys } from './key-set-plan.ts';
import type { CompleteKeys, KeyDependencies, KeyStore } from './key-store.ts';
import {
  holdsCurrentKeys,
  readCurrent,
  readKeySet,
  readKeysOfRotation,
  requireNext,
  requireUnchangedKeys,
} from './rotation-keys.ts';
import { KeysChangedError, type VersionIds } from './secret-versions.ts';

/** The key set lacks a key. The read can be late: see {@link KeysChangedError}. */
export class NotPublishedError extends InternalError {
  override readonly name = 'NotPublishedError';
  constructor(kid: string) {
    super(`Key ${kid} is not published`);
  }
}

/** The four steps of a rotation by Secrets Manager, in their order ("Lambda rotation functions"). */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

export type RotationStep = (typeof rotationSteps)[number];

/**
 * Does one step of a rotation:
 *
 * - `createSecret` prepares keys.
 * - `setSecret` publishes them.
 * - `testSecret` checks that their signatures verify with the published key set.
 * - `finishSecret` promotes them to current, and sets the end of publication of the replaced keys.
 *
 * To test a new schedule, Secrets Manager runs only `testSecret`. The step then checks the current keys.
 *
 * Each step can be repeated with its token. After each step, the service signs with published keys only.
 *
 * @throws {InternalError} if the rotation cannot continue; Secrets Manager then retries it
 */
export async function rotate(
  step: RotationStep,
  token: string,
  dependencies: KeyDependencies,
): Promise<void> {
  const versions = await dependencies.store.versions();
  const finished = versions.current === token;
  if (step === 'testSecret' && !finished && (await isTestOfSchedule(token, dependencies.store))) {
    await testKeys(requireNext(await readCurrent(dependencies.store)), dependencies);
    dependencies.log('INFO', 'scheduleTested', { version: token });
    return;
  }
  if (!finished && versions.pending !== token) {
    throw new InternalError('This rotation was given up: rotate again');
  }
  if (step === 'finishSecret') {
    await finishSecret(token, versions, dependencies);
  } else if (!finished) {
    await steps[step](token, dependencies);
  }
  dependencies.log('INFO', 'rotationStep', { step, version: token });
}

type Step = (token: string, dependencies: KeyDependencies) => Promise<void>;

const steps: Readonly<Record<Exclude<RotationStep, 'finishSecret'>, Step>> = {
  createSecret: async (token, { store, generateKey, now }) => {
    const current = await readCurrent(store);
    const pending = await store.readVersion(token);
    if (pending !== undefined) {
      return requireUnchangedKeys(token, pending, current, store);
    }
    const [{ value: published }, fresh] = await Promise.all([readKeySet(store), generateKey()]);
    const rotated = rotatedKeys(current.value, published, fresh, now());
    await store.writePending(token, { ...rotated, follows: current.version });
  },

  setSecret: async (token, dependencies) => {
    await publish(() => readKeysOfRotation(token, dependencies.store), dependencies);
  },

  testSecret: async (token, dependencies) => {
    const { keys } = await readKeysOfRotation(token, dependencies.store);
    await testKeys(keys, dependencies);
  },
};

/**
 * True if Secrets Manager only tests the schedule. For the test it creates a version and removes it again
 * (API reference, RotateSecret, RotateImmediately). AWS documents neither the content of the version, nor
 * whether its label is still there when the function is invoked. So every version without keys of a rotation
 * counts as a test: a missing version, a version without a value, a copy of the current version. A rotation
 * that looks like a test does no harm: `finishSecret` requires the keys and the label.
 */
async function isTestOfSchedule(token: string, store: KeyStore): Promise<boolean> {
  const [current, tested] = await Promise.all([readCurrent(store), store.readVersion(token)]);
  return tested === undefined || holdsCurrentKeys(tested, current);
}

/** Checks that signatures of the keys verify with the published set. */
async function testKeys({ value: keys }: CompleteKeys, { store, now }: KeyDependencies): Promise<void> {
  const { value: published } = await readKeySet(store);
  for (const key of [keys.current, keys.next]) {
    await assertVerifies(key, published, now());
  }
}

/**
 * Promotes the pending keys to current, publishes the set again, labels the next key, and removes AWSPENDING
 * last. AWSPENDING must be removed: a later revocation moves AWSCURRENT to another version. Secrets Manager
 * would then see AWSPENDING on a version that is not current, treat that as a rotation in progress, and start
 * no other.
 */
async function finishSecret(
  token: string,
  versions: VersionIds,
  dependencies: KeyDependencies,
): Promise<void> {
  const { store } = dependencies;
  let replaced: string | undefined;
  if (versions.current !== token) {
    // Published again, in case another operation changed the set after `setSecret`.
    const { replaces } = await publish(() => readKeysOfRotation(token, store), dependencies);
    await store.promote(token, replaces);
    replaced = replaces;
  }
  const { keys } = await publish(() => readCurrentAfter(replaced, store), dependencies);
  await store.labelNext(keys.nextVersion);
  if (versions.pending === token) {
    await store.dropPending(token);
  }
}

/**
 * Reads the current keys. A read can be late and return keys that were just replaced. Those keys must not be
 * published as current.
 *
 * @throws {KeysChangedError} if the read is late
 */
async function readCurrentAfter(replaced: string | undefined, store: KeyStore): Promise<PublishableKeys> {
  const keys = requireNext(await readCurrent(store));
  if (keys.version === replaced) {
    throw new KeysChangedError();
  }
  return { keys };
}

/**
 * Publishes keys. The key set is read before the keys. An operation that changes the keys in between also changes the
 * set, so that our write of the set fails.
 */
async function publish<Keys extends PublishableKeys>(
  readKeys: () => Promise<Keys>,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<Keys> {
  const { value: published, version } = await readKeySet(store);
  const read = await readKeys();
  const plan = planKeySet({ ...read, published, now: now(), tokenLifetimeSeconds });
  await store.writeKeySet(plan, version);
  return read;
}

async function assertVerifies(key: PrivateJwk, published: KeySet, now: Date): Promise<void> {
  const { kid } = key;
  const jwk = published.keys.find((entry) => entry.jwk.kid === kid)?.jwk;
  if (jwk === undefined) {
    throw new NotPublishedError(kid);
  }
  await jwtVerify(importSigningKey(key)({}), await importJWK(jwk, jwk.alg), {
    algorithms: [jwk.alg],
    currentDate: now,
  });
}
