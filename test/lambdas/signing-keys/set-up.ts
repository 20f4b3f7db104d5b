import { ensureKeys } from '../../../lambdas/signing-keys/ensure-keys.ts';
import { type RotationStep, rotate, rotationSteps } from '../../../lambdas/signing-keys/rotate.ts';
import { keySigningAt, publishedKeys } from '../../../storage/signing-keys.ts';
import { newKey, noon } from '../../support/signing-keys.ts';
import { recordingLog } from '../support/log.ts';
import { FakeKeyStore } from './fake-store.ts';

export const tokenLifetimeSeconds = 3600;

export function setUp() {
  const store = new FakeKeyStore();
  const { log, lines } = recordingLog();
  let time = noon.getTime();
  const dependencies = {
    store,
    generateKey: () => newKey(),
    tokenLifetimeSeconds,
    now: () => new Date(time),
    log,
  };
  return {
    store,
    lines,
    dependencies,
    pass: (seconds: number) => {
      time += seconds * 1000;
    },
    time: () => time,
    ensure: () => ensureKeys(dependencies),
    setTokenLifetime: (seconds: number) => {
      dependencies.tokenLifetimeSeconds = seconds;
    },
    step: async (step: RotationStep, token: string) => {
      store.begin(token);
      await rotate(step, token, dependencies);
    },
    rotateAll: async (token: string) => {
      store.begin(token);
      for (const step of rotationSteps) {
        await rotate(step, token, dependencies);
      }
    },
    /** Key ids that are published now. */
    published: () => publishedKeys(store.keySet ?? { keys: [] }, time).map(({ jwk }) => jwk.kid),
    entry: (kid: string) => store.keySet?.keys.find(({ jwk }) => jwk.kid === kid),
    /** The key that signs now. */
    signer: async () => {
      const keys = await store.readCurrent();
      if (keys === undefined) {
        throw new Error('no keys');
      }
      return keySigningAt(keys.value, time).kid;
    },
    keys: async () => {
      const keys = await store.readCurrent();
      if (keys === undefined) {
        throw new Error('no keys');
      }
      return keys.value;
    },
  };
}
