import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { AttackedService } from '../../support/attacked-service.ts';
import { startInProcessService } from '../../support/in-process-service.ts';
import { attacks, inputsOf } from './attacks.ts';

/** The short form: 1,000 inputs in all, other ones each time. `npm run test:system -- fuzz` tries 100,000. */

const totalInputs = 1000;

/** A failure prints its seed; `FILE_SYNC_FUZZ_SEED` repeats it. */
const seed = Number(process.env.FILE_SYNC_FUZZ_SEED ?? Date.now() % 2 ** 31);

let service: AttackedService;

beforeAll(async () => {
  service = await startInProcessService();
});

afterAll(() => service.close());

describe('no input gives a 5xx, hangs, is reflected into a header or a log, or gets what it should not', () => {
  test.each(attacks)(
    '$name',
    async (attack) => {
      const prepared = await attack.prepare(service);
      await prepared.run({ numRuns: inputsOf(attack, totalInputs), seed });
      await prepared.finish();
      // Inputs that all end at the first check would show nothing.
      expect(prepared.reached.size).toBeGreaterThan(1);
    },
    120_000,
  );
});
