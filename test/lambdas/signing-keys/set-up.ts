import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';
import { FakeKeyStore } from './fake-store.ts';

export const tokenLifetimeSeconds = 3600;
export const day = 24 * 60 * 60;

/** A store without keys, and what the operations on it need. */
export function setUp() {
  const store = new FakeKeyStore();
  const { log, lines } = recordingLog();
  /** Milliseconds since the epoch; a test moves it. */
  const clock = { time: noon.getTime() };
  const dependencies = {
    store,
    generateKey: () => newKey(),
    tokenLifetimeSeconds,
    now: () => new Date(clock.time),
    log,
  };
  return { store, lines, clock, dependencies };
}

/** A store with the first keys. */
export async function deployed() {
  const parts = setUp();
  await ensureKeys(parts.dependencies);
  const { store, clock, dependencies } = parts;
  return {
    ...parts,
    pass: (seconds: number) => {
      clock.time += seconds * 1000;
    },
    /** Rotates as Secrets Manager does, all steps or only the given ones. */
    rotate: async (token: string, steps: readonly (typeof rotationSteps)[number][] = rotationSteps) => {
      store.begin(token);
      for (const step of steps) {
        await rotate(step, token, dependencies);
      }
    },
  };
}
