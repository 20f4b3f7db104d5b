/**
 * Compares a local run with 100 clients and uploads and one with 100,000 clients and 1,000,000 uploads: the CPU time of a
 * warm request of each endpoint, the time of admin lists to their first page, and the memory. Seeding takes about two
 * minutes. It needs Linux, where /proc has CPU time and memory.
 *
 *     npm run bench -- growth [--clients 100000] [--uploads 1000000] [--rounds 15] [--requests 300] [--json]
 *     npm run bench -- growth --state FOLDER    keeps the large deployment in a folder, for the next time
 *
 * It fails when a target is missed.
 */
import '../../test/support/quiet-sdk.ts';
import { access, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { memory } from '../process-usage.ts';
import { measureEndpoints } from './endpoint-cost.ts';
import { measureLists } from './lists.ts';
import { type GrowthReport, growthTable, missedTargets } from './report.ts';
import { type Amount, seed } from './seed.ts';
import { startService } from './service.ts';

const { values } = parseArgs({
  options: {
    clients: { type: 'string', default: '100000' },
    uploads: { type: 'string', default: '1000000' },
    rounds: { type: 'string', default: '15' },
    requests: { type: 'string', default: '300' },
    repetitions: { type: 'string', default: '3' },
    state: { type: 'string' },
    json: { type: 'boolean', default: false },
  },
});
const small: Amount = { clients: 100, uploads: 100 };
const large: Amount = { clients: Number(values.clients), uploads: Number(values.uploads) };

const folder = await mkdtemp(join(tmpdir(), 'file-sync-growth-'));
try {
  const largeState = values.state ?? join(folder, 'large');
  const smallState = join(folder, 'small');
  await seed(smallState, small);
  if (!(await exists(largeState))) {
    await seed(largeState, large);
  }
  const report = await compareRuns(smallState, largeState);
  process.stdout.write(values.json ? `${JSON.stringify(report, null, 2)}\n` : growthTable(report));
  process.exitCode = missedTargets(report).length === 0 ? 0 : 1;
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function compareRuns(smallState: string, largeState: string): Promise<GrowthReport> {
  const [one, other] = [await startService(smallState), await startService(largeState)];
  try {
    const options = { rounds: Number(values.rounds), requests: Number(values.requests) };
    const endpoints = await measureEndpoints(one, other, options);
    const afterRequests = { small: await memory(one.run.pid), large: await memory(other.run.pid) };
    const lists = await measureLists(other.run, Number(values.repetitions));
    const afterLists = await memory(other.run.pid);
    return { small, large, endpoints, lists, memory: { ...afterRequests, largeAfterLists: afterLists } };
  } finally {
    await Promise.all([one.stop(), other.stop()]);
  }
}

async function exists(path: string): Promise<boolean> {
  return access(path).then(
    () => true,
    () => false,
  );
}
