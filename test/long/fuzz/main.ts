/**
 * The long form of the attack; the short form runs in `npm test`.
 *
 *     npm run test:long -- fuzz [--inputs 100000] [--live 4000] [--seed N] [--only NAME]
 *
 * Most inputs go to the functions behind the local HTTP server in this process, and `--live` more to a local run.
 */
import '../../support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import type { AttackedService } from '../../support/attacked-service.ts';
import { startInProcessService } from '../../support/in-process-service.ts';
import { type Attack, attacks, inputsOf } from './attacks.ts';
import { startLiveService } from './live-service.ts';

const { values } = parseArgs({
  options: {
    inputs: { type: 'string', default: '100000' },
    live: { type: 'string', default: '4000' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
    only: { type: 'string' },
  },
});
const seed = Number(values.seed);
const say = (line: string) => void process.stdout.write(`${line}\n`);
let tried = 0;
let failures = 0;

say(`seed ${seed}`);
await attackAll('in process', startInProcessService, attacks, Number(values.inputs));
if (Number(values.live) > 0) {
  await attackAll('live', startLiveService, attacks, Number(values.live));
}
say(`inputs tried: ${tried}`);
say(`failures: ${failures}`);
process.exitCode = failures === 0 ? 0 : 1;

async function attackAll(
  where: string,
  start: () => Promise<AttackedService>,
  attacks: readonly Attack[],
  inputs: number,
): Promise<void> {
  const service = await start();
  try {
    for (const attack of attacks.filter(({ name }) => name === (values.only ?? name))) {
      await attackOne(where, attack, service, inputsOf(attack, inputs));
    }
  } finally {
    await service.close();
  }
}

async function attackOne(
  where: string,
  attack: Attack,
  service: AttackedService,
  numRuns: number,
): Promise<void> {
  const startedAt = performance.now();
  const prepared = await attack.prepare(service);
  try {
    await prepared.run({ numRuns, seed });
    await prepared.finish();
  } catch (error) {
    failures += 1;
    // Closes what it opened; what it would check is known to be wrong.
    await prepared.finish().catch(() => undefined);
    say(`${where}, ${attack.name}: ${describe(error)}`);
  }
  const outcomes = [...prepared.reached].sort().map(([outcome, count]) => `${outcome}: ${count}`);
  const made = [...prepared.reached.values()].reduce((sum, count) => sum + count, 0);
  tried += made;
  const seconds = ((performance.now() - startedAt) / 1000).toFixed(1);
  say(`${where}, ${attack.name}: ${made} inputs in ${seconds} s (${outcomes.join(', ')})`);
}

/** fast-check names the input, and its cause says what it brought about. */
function describe(error: unknown): string {
  if (!(error instanceof Error)) {
    return String(error);
  }
  const cause = error.cause instanceof Error ? `\nbecause ${error.cause.message}` : '';
  return `${error.message.slice(0, 2000)}${cause}`;
}
