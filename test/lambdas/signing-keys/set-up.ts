import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { type RotationStep, rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { type PrivateJwk, publishedKeys } from '../../../storage/signing-keys.ts';
import { newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';
import { fakeSecrets } from './fake-secrets.ts';

export const tokenLifetimeSeconds = 3600;
export const day = 24 * 60 * 60;

/**
 * Labels that the first deployment moves. The set is written a second time, with the versions of the keys.
 */
export const firstWrites = ['set AWSCURRENT', 'keys AWSCURRENT', 'keys NEXT', 'set AWSCURRENT'];

const created: PrivateJwk[] = [];

/** Returns a function that creates keys for one store. Stores share the keys, because creating them takes time. */
function keyCreator() {
  let used = 0;
  return async () => {
    const index = used++;
    const key = created[index] ?? (await newKey());
    created[index] = key;
    return key;
  };
}

/** Creates a store without keys, and the operations on it. */
export function setUp() {
  const store = fakeSecrets();
  const { log, lines } = recordingLog();
  /** Milliseconds since the epoch; a test advances it. */
  const clock = { time: noon.getTime() };
  const dependencies = {
    store,
    generateKey: keyCreator(),
    tokenLifetimeSeconds,
    now: () => new Date(clock.time),
    log,
  };
  /** Runs one step of a rotation. */
  const step = (name: RotationStep, token: string) => rotate(name, token, dependencies);
  return {
    store,
    lines,
    clock,
    dependencies,
    ensure: () => ensureKeys(dependencies),
    step,
    /** Rotates as Secrets Manager does, all steps or only the given ones. */
    rotate: async (token: string, steps: readonly RotationStep[] = rotationSteps) => {
      store.begin(token);
      for (const name of steps) {
        await step(name, token);
      }
    },
    pass: (seconds: number) => {
      clock.time += seconds * 1000;
    },
    /** Returns the ids of the published keys. */
    published: () => publishedKeys(store.keySet, clock.time).map(({ jwk }) => jwk.kid),
  };
}

/** Creates a store with the first keys. */
export async function deployed() {
  const parts = setUp();
  await parts.ensure();
  return parts;
}
