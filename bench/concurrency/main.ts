/**
 * Sends requests to a local run without throttles, 1, 10, 100 and 1,000 at the same time, and calls the handlers in this
 * process in the same way. Prints errors and CPU time for each request. It needs Linux, where /proc has the CPU time.
 *
 *     npm run bench -- concurrency [--rounds 5] [--requests 1000] [--json]
 *
 * It fails when a request fails, or when one costs more than 10 % more CPU time than at the cheapest level.
 */
import '../../test/support/quiet-sdk.ts';
import { parseArgs } from 'node:util';
import { startService } from '../growth/service.ts';
import { cpuMicroseconds } from '../process-usage.ts';
import { handlersInProcess } from './handlers.ts';
import { type Contender, type LevelCost, levels, measureLevels } from './levels.ts';

const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    requests: { type: 'string', default: '1000' },
    json: { type: 'boolean', default: false },
  },
});
const [rounds, requests] = [Number(values.rounds), Number(values.requests)];

/** A request costs at most so much more than at the cheapest level. */
const maximumGrowth = 1.1;

const service = await startService(undefined, Math.max(...levels));
const costs: LevelCost[] = [];
try {
  const { token, volumes, sync } = service.endpoints;
  const used = () => cpuMicroseconds(service.run.pid);
  const overHttp = Object.entries({ token, volumes, sync }).map(
    ([name, send]): Contender => ({ name: `${name}, local run over HTTP`, send, used, requests }),
  );
  for (const contender of [...(await handlersInProcess()), ...overHttp]) {
    process.stderr.write(`measuring ${contender.name}\n`);
    costs.push(...(await measureLevels(contender, rounds)));
  }
} finally {
  await service.stop();
}
process.stdout.write(values.json ? `${JSON.stringify(costs, null, 2)}\n` : table(costs));
process.exitCode = costs.every(holds) ? 0 : 1;

function holds({ errors, growth }: LevelCost): boolean {
  return errors === 0 && growth <= maximumGrowth;
}

function table(rows: readonly LevelCost[]): string {
  const lines = rows.map((row) => {
    const { name, level, errors, microseconds, growth } = row;
    const figures = `${microseconds.toFixed(0).padStart(7)} µs  x${growth.toFixed(3)}  ${errors} errors`;
    return `${name.padEnd(30)} ${String(level).padStart(5)} at the same time ${figures}${holds(row) ? '' : '  MISSED'}`;
  });
  return `CPU time of one request, and its ratio to the cheapest level\n${lines.join('\n')}\n`;
}
