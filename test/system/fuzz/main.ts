/**
 * The long form of the attack; the short form is one of the system tests.
 *
 *     npm run test:system -- fuzz [--inputs 100000] [--seed N] [--only NAME]
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { startAttackedService } from '../../support/attacked-service.ts';
import { requireSoundLog } from './attack.ts';
import { attacks } from './attacks.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const say = (line: string) => void process.stdout.write(`${line}\n`);

say(`seed ${seed}`);
const service = await startAttackedService();
for (const attack of attacks.filter(({ name }) => name === (values.only ?? name))) {
  const numRuns = Math.ceil(Number(values.inputs) / attacks.length);
  const startedAt = performance.now();
  const outcome = await attack.run(service, { numRuns, seed }).then(
    (statuses) => [...statuses].sort().map(([status, count]) => `${status}: ${count}`),
    (error: unknown) => {
      process.exitCode = 1;
      return ['FAILED', describe(error)];
    },
  );
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`${attack.name}: ${numRuns} inputs in ${seconds} s: ${outcome.join(', ')}`);
}
await requireSoundLog(service).finally(service.close);

/** fast-check names the input, and its cause says what it brought about. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause instanceof Error ? `\nbecause ${error.cause.message}` : '';
  return `${error.message.slice(0, 2000)}${cause}`;
}
