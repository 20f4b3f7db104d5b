import { SignJWT } from 'jose/jwt/sign';
import { jwtVerify } from 'jose/jwt/verify';
import { importJWK } from 'jose/key/import';
import { accessTokenType } from '../shared/access-token-type.ts';
import type { KeySet, PrivateJwk, SigningKeys } from '../shared/keys.ts';
import { InternalError } from '../shared/log.ts';
import type { KeyDependencies } from './dependencies.ts';
import { planKeySet, rotatedKeys } from './key-set-plan.ts';

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
  if (step === 'finishSecret') {
    await finishSecret(token, finished, versions.current, dependencies);
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
      return assertFollows(pending, current);
    }
    const fresh = await generateKey();
    await store.writePending(token, rotatedKeys(current, await readKeySet({ store }), fresh, now()));
  },

  setSecret: async (token, dependencies) => {
    const { pending, current } = await readBoth(token, dependencies);
    await publish(pending, current, dependencies);
  },

  testSecret: async (token, { store, now }) => {
    const [current, pending] = await Promise.all([readCurrent({ store }), readPending(token, { store })]);
    if (!isSame(pending, current)) {
      assertFollows(pending, current);
    }
    const published = await readKeySet({ store });
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

async function finishSecret(
  token: string,
  finished: boolean,
  currentVersion: string | undefined,
  dependencies: KeyDependencies,
): Promise<void> {
  if (!finished) {
    // Published once more, in case something else changed the set since.
    const { pending, current } = await readBoth(token, dependencies);
    await publish(pending, current, dependencies);
    await dependencies.store.promote(token, currentVersion);
  }
  await publish(await readCurrent(dependencies), undefined, dependencies);
}

async function publish(
  keys: SigningKeys,
  stillSigning: SigningKeys | undefined,
  { store, now, tokenLifetimeSeconds }: KeyDependencies,
): Promise<void> {
  const published = await readKeySet({ store });
  const plan = planKeySet({
    keys,
    ...(stillSigning === undefined ? {} : { stillSigning }),
    published,
    now: now(),
    tokenLifetimeSeconds,
  });
  await store.writeKeySet(plan);
}

async function readBoth(token: string, { store }: Pick<KeyDependencies, 'store'>) {
  const [current, pending] = await Promise.all([readCurrent({ store }), readPending(token, { store })]);
  assertFollows(pending, current);
  return { current, pending };
}

async function readPending(token: string, { store }: Pick<KeyDependencies, 'store'>): Promise<SigningKeys> {
  const pending = await store.readPending(token);
  if (pending === undefined) {
    throw new InternalError('This rotation has prepared no keys');
  }
  return pending;
}

/** A revocation in between replaces the keys; those prepared from the older ones must then never sign. */
function assertFollows(pending: SigningKeys, current: SigningKeys): void {
  if (pending.current.kid !== current.next.kid) {
    throw new InternalError('The keys changed since this rotation began: cancel it and rotate again');
  }
}

async function readCurrent({ store }: Pick<KeyDependencies, 'store'>): Promise<SigningKeys> {
  const keys = await store.readCurrent();
  if (keys === undefined) {
    throw new InternalError('There are no signing keys yet');
  }
  return keys;
}

async function readKeySet({ store }: Pick<KeyDependencies, 'store'>): Promise<KeySet> {
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
