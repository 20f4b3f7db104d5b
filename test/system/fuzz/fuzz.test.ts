import { expect, test } from 'vitest';
import { report, sizesOf, soakTimeout } from '../soak.ts';
import { requireSoundLog } from './attack.ts';
import { startAttackedService } from './attacked-service.ts';
import { attacks } from './attacks.ts';

/** Other inputs each time. A failure prints its seed, and `npm run test:system -- fuzz --inputs 1000 --seed N` repeats it. */
const seed = Date.now() % 2 ** 31;
const sizes = sizesOf({ inputs: 1000, seed }, { inputs: 100_000, seed });

const service = await startAttackedService();

test.each(attacks)(
  'no input of the $name gives a 5xx, hangs, is reflected, or gets what it should not',
  async (attack) => {
    const statuses = await attack.run(service, {
      numRuns: Math.ceil(sizes.inputs / attacks.length),
      seed: sizes.seed,
    });
    report(`${attack.name}: ${JSON.stringify([...statuses])}`);
    // Inputs that all end at the first check would show nothing.
    expect(statuses.size).toBeGreaterThan(1);
  },
  soakTimeout,
);

test('the logs hold nothing of the inputs', () => requireSoundLog(service), soakTimeout);
