import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { accessTokenType } from '../../contract/access-token.ts';
import type { KeySet, PrivateJwk, SigningKeys } from '../../storage/signing-keys.ts';
import { InternalError } from '../shared/log.ts';
import type { KeyDependencies } from './dependencies.ts';
import { planKeySet, rotatedKeys } from './key-set-plan.ts';
import type { Stored } from './key-store.ts';

/** The four steps of a rotation by Secrets Manager, in their order ("Lambda rotation functions"). */
export const rotationSteps = ['createSecret', 'setSecret', 'testSecret', 'finishSecret'] as const;

export type RotationStep = (typeof rotationSteps)[number];

/**
 * Does one step of a rotation. Each can be repeated with its token, and after each the service still signs with
 * published keys: `createSecret` prepares keys, `setSecret` publishes them, `testSecret` proves that what they sign
 * verifies against the published set, `finishSecret` lets them sign and dates the end of those they replace.
 *
 * @throws {InternalError} when the rotation cannot go on; Secrets Manager then repeats it
 */
export async function rotate(
  step: RotationStep,
  token: string,
  dependencies: KeyDependencies,
): Promise<void> {
  const versions = await dependencies.store.versions();
  const finished = versions.current === token;
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
    const current = await readCurrent({ store });
    const pending = await store.readPending(token);
    if (pending !== undefined) {
      return requireFollowing(token, pending, current, { store });
    }
    const [{ value: published }, fresh] = await Promise.all([readKeySet({ store }), generateKey()]);
    const rotated = rotatedKeys(current.value, published, fresh, now());
    await store.writePending(token, { ...rotated, follows: current.version });
  },

  setSecret: async (token, dependencies) => {
    await publish(() => readBoth(token, dependencies), dependencies);
  },

  testSecret: async (token, { store, now }) => {
    const [current, pending] = await Promise.all([readCurrent({ store }), readPending(token, { store })]);
    if (!isSame(pending, current.value)) {
      await requireFollowing(token, pending, current, { store });
    }
    const { value: published } = await readKeySet({ store });
    for (const key of [pending.current, pending.next]) {
      await assertVerifies(key, published, now());
    }
  },
};

/**
 * When a schedule is set without rotating, Secrets Manager tries the function out: it runs `testSecret` alone, on a
 * pending version that holds the present value (API reference, RotateSecret, RotateImmediately).
 */
function isSame(pending: SigningKeys, current: SigningKeys): boolean {
  return pending.current.kid === current.current.kid && pending.next.kid === current.next.kid;
}

/**
 * The mark of the rotation goes last, and it has to go: a revocation moves AWSCURRENT on, and Secrets Manager takes an
 * AWSPENDING that stands elsewhere than AWSCURRENT for a rotation under way, and begins no other.
 */
async function finishSecret(
  token: string,
  versions: { readonly current?: string; readonly pending?: string },
  dependencies: KeyDependencies,
): Promise<void> {
  const { store } = dependencies;
  if (versions.current !== token) {
    // Published once more, in case something else changed the set since.
    const { replaces } = await publish(() => readBoth(token, dependencies), dependencies);
    await store.promote(token, replaces);
  }
  await publish(async () => ({ keys: (await readCurrent(dependencies)).value }), dependencies);
  if (versions.pending === token) {
    await store.dropPending(token);
  }
}

/** Keys to publish. */
interface Publishable {
  /** Keys that sign, or will once the rotation is finished. */
  readonly keys: SigningKeys;
  /** Keys that still sign because the rotation is not finished. */
  readonly stillSigning?: SigningKeys;
}

/**
 * Publishes keys. They are read after the set that they go into, so that whoever changes keys in between has also
 * changed the set, and the write fails.
 */
async function publish<Keys extends Publishable>(
  readKeys: () => Promise<Keys>,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<Keys> {
  const { value: published, version } = await readKeySet({ store });
  const read = await readKeys();
  const { keys, stillSigning } = read;
  const plan = planKeySet({
    keys,
    ...(stillSigning === undefined ? {} : { stillSigning }),
    published,
    now: now(),
    tokenLifetimeSeconds,
  });
  await store.writeKeySet(plan, version);
  return read;
}

async function readBoth(token: string, { store }: Pick<KeyDependencies, 'store'>) {
  const [current, pending] = await Promise.all([readCurrent({ store }), readPending(token, { store })]);
  await requireFollowing(token, pending, current, { store });
  return { keys: pending, stillSigning: current.value, replaces: current.version };
}

async function readPending(token: string, { store }: Pick<KeyDependencies, 'store'>): Promise<SigningKeys> {
  const pending = await store.readPending(token);
  if (pending === undefined) {
    throw new InternalError('This rotation has prepared no keys');
  }
  return pending;
}

/**
 * A revocation in between replaces the keys; those prepared from the older ones must then never sign, and the rotation
 * that prepared them must not stand in the way of another one.
 */
async function requireFollowing(
  token: string,
  pending: SigningKeys,
  current: Stored<SigningKeys>,
  { store }: Pick<KeyDependencies, 'store'>,
): Promise<void> {
  if (pending.follows !== current.version) {
    await store.dropPending(token);
    throw new InternalError('The keys changed since this rotation began: it was given up, rotate again');
  }
}

async function readCurrent({ store }: Pick<KeyDependencies, 'store'>): Promise<Stored<SigningKeys>> {
  const keys = await store.readCurrent();
  if (keys === undefined) {
    throw new InternalError('There are no signing keys yet');
  }
  return keys;
}

async function readKeySet({ store }: Pick<KeyDependencies, 'store'>): Promise<Stored<KeySet>> {
  const keySet = await store.readKeySet();
  if (keySet === undefined) {
    throw new InternalError('There is no key set yet');
  }
  return keySet;
}

async function assertVerifies(key: PrivateJwk, published: KeySet, now: Date): Promise<void> {
  const { kid, alg } = key;
  const jwk = published.keys.find((entry) => entry.jwk.kid === kid)?.jwk;
  if (jwk === undefined) {
    throw new InternalError(`Key ${kid} is not published`);
  }
  const token = await new SignJWT({})
    .setProtectedHeader({ alg, kid, typ: accessTokenType })
    .sign(await importJWK(key, alg));
  await jwtVerify(token, await importJWK(jwk, jwk.alg), { algorithms: [jwk.alg], currentDate: now });
}
