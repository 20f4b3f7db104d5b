import { afterAll, beforeAll, expect, test } from 'vitest';
import { type AttackedService, startAttackedService } from '../../support/attacked-service.ts';
import { requireSoundLog } from './attack.ts';
import { attacks } from './attacks.ts';

/** The short form: 1,000 inputs in all, other ones each time. `npm run test:system -- fuzz` tries 100,000. */

/** A failure prints its seed; `FILE_SYNC_FUZZ_SEED` repeats it. */
const seed = Number(process.env.FILE_SYNC_FUZZ_SEED ?? Date.now() % 2 ** 31);

let service: AttackedService;
beforeAll(async () => {
  service = await startAttackedService();
});
afterAll(() => service?.close());

test.each(attacks)(
  'no input of the $name gives a 5xx, hangs, is reflected, or gets what it should not',
  async (attack) => {
    const statuses = await attack.run(service, { numRuns: 250, seed });
    // Inputs that all end at the first check would show nothing.
    expect(statuses.size).toBeGreaterThan(1);
  },
  120_000,
);

test('the logs hold nothing of the inputs', () => requireSoundLog(service));
