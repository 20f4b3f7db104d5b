import { spawn } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { localDeployment } from '../../cli/deployment/local-deployment.ts';
import type { LocalRun } from '../../test/support/local-run.ts';
import { cpuMicroseconds, memory } from '../process-usage.ts';
import { fileId } from './seed.ts';

/** What a list of the admin command took, in a process of its own. */
export interface ListCost {
  readonly command: string;
  /** Seconds from the start of the process to its first output. */
  readonly firstPage: number;
  /** CPU time until then, in seconds: of the process and of the serving one. On a machine with other work it is less noisy. */
  readonly cpu: number;
  /** Peak memory of the process until then, in bytes. */
  readonly peak: number;
}

/** Each is run as in a terminal, with its newest 100 entries, and as in a pipe, with all of them. */
const lists: readonly (readonly string[])[] = [
  ['client', 'list'],
  ['client', 'list', '--organisation', 'organisation-1'],
  ['file', 'list'],
  ['file', 'show', fileId(7)],
  ['upload', 'list', '--organisation', 'acme'],
  ['upload', 'list', '--file', fileId(7)],
  ['upload', 'list'],
];

/** Says how long a process with the command takes that lists nothing. */
export const emptyList = ['upload', 'list', '--organisation', 'none', '--csv'];

const terminal = { COLUMNS: '120' };

/** Lists everything to the first page, so many times, and takes the best: other processes of the machine only slow it. */
export async function measureLists(
  { pid, stateDirectory }: LocalRun,
  repetitions: number,
): Promise<readonly ListCost[]> {
  const deployment = JSON.stringify(await localDeployment(stateDirectory));
  const costs: ListCost[] = [];
  for (const [parameters, environment, form] of [
    [emptyList, {}, ''],
    ...lists.flatMap((list) => [[list, terminal, ''] as const, [list, {}, ' | …'] as const]),
  ] as const) {
    let best: ListCost | undefined;
    for (let index = 0; index < repetitions; index += 1) {
      const cost = await toFirstPage(pid, parameters, { ...environment, DEPLOYMENT: deployment });
      best = best === undefined || cost.firstPage < best.firstPage ? cost : best;
    }
    if (best !== undefined) {
      costs.push({ ...best, command: `${best.command}${form}` });
    }
  }
  return costs;
}

const program = fileURLToPath(new URL('../../test/long/lists/run-list.ts', import.meta.url));

/** Runs a list until its first output, and then ends it. */
async function toFirstPage(
  servingPid: number,
  parameters: readonly string[],
  environment: Readonly<Record<string, string>>,
): Promise<ListCost> {
  const servedBefore = await cpuMicroseconds(servingPid);
  const startedAt = performance.now();
  const list = spawn(process.execPath, ['--import', 'tsx', program, ...parameters], {
    stdio: ['ignore', 'pipe', 'pipe'],
    env: { ...process.env, ...environment },
  });
  let errors = '';
  list.stderr.on('data', (chunk) => {
    errors += String(chunk);
  });
  const closed = new Promise<void>((resolve) => list.once('close', () => resolve()));
  const first = await new Promise<boolean>((resolve) => {
    list.stdout.once('data', () => resolve(true));
    list.once('close', () => resolve(false));
  });
  const firstPage = (performance.now() - startedAt) / 1000;
  const own = list.pid ?? 0;
  const peak = first ? (await memory(own)).peak : Number.NaN;
  const used = (await cpuMicroseconds(servingPid)) - servedBefore + (first ? await cpuMicroseconds(own) : 0);
  list.stdout.resume();
  list.kill('SIGKILL');
  await closed;
  if (!first) {
    throw new Error(`${parameters.join(' ')} printed nothing: ${errors}`);
  }
  return { command: parameters.join(' '), firstPage, cpu: used / 1e6, peak };
}
