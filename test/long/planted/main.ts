/**
 * Plants defects one by one, each in a copy of the project, and says which test caught each. A defect that no test
 * catches is a promise that no test holds.
 *
 *     npm run test:long -- planted [NAME...] [--list] [--json FILE] [--parallel 2]
 *
 * NAME is the name of a defect or of a subject; --list shows both. The exit code is 1 when a defect was not caught.
 */
import { writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { choose } from './choose.ts';
import type { Subject } from './defect.ts';
import { subjects } from './defects/all.ts';
import { createProgress } from './progress.ts';
import { countsTable, defectsTable, jsonOf, lineOf, listOf } from './report.ts';
import { FailingTestsError, runPlanted } from './run-planted.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort());
}

const exitCodes = { allCaught: 0, failed: 1, usage: 2 } as const;

interface Options {
  readonly chosen: readonly Subject[];
  readonly list: boolean;
  readonly json: string | undefined;
  readonly parallel: number;
}

/** @throws {RangeError | TypeError} for a command line that is not valid */
function readOptions(): Options {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: {
      list: { type: 'boolean', default: false },
      json: { type: 'string' },
      parallel: { type: 'string', default: '2' },
    },
  });
  const parallel = Number(values.parallel);
  if (!Number.isInteger(parallel) || parallel < 1) {
    throw new RangeError(`--parallel must be a whole number from 1, not '${values.parallel}'`);
  }
  return { chosen: choose(subjects, positionals), list: values.list, json: values.json, parallel };
}

/** @returns the exit code */
async function plantAll({ chosen, json, parallel }: Options): Promise<number> {
  const startedAt = performance.now();
  const total = chosen.flatMap(({ defects }) => defects).length;
  const progress = createProgress(process.stdout, total);
  const { signal } = interrupted;
  const planted = await runPlanted({ root, subjects: chosen, parallel, progress, signal });
  progress.finish();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const missed = planted.filter(({ outcome }) => outcome.result !== 'caught');
  process.stdout.write(`\n${defectsTable(planted)}\n${countsTable(planted)}\n`);
  process.stdout.write(`took ${seconds} s; not caught: ${missed.length}\n`);
  for (const one of missed) {
    process.stdout.write(`  ${lineOf(one)}\n`);
  }
  if (json !== undefined) {
    await writeFile(json, jsonOf(planted, seconds));
  }
  return missed.length === 0 && planted.length === total ? exitCodes.allCaught : exitCodes.failed;
}

async function main(): Promise<number> {
  let options: Options;
  try {
    options = readOptions();
  } catch (error) {
    process.stderr.write(`error: ${error instanceof Error ? error.message : error}\n`);
    return exitCodes.usage;
  }
  if (options.list) {
    process.stdout.write(listOf(options.chosen));
    return exitCodes.allCaught;
  }
  try {
    return await plantAll(options);
  } catch (error) {
    if (!(error instanceof FailingTestsError)) {
      throw error;
    }
    process.stderr.write(`error: ${error.message}\n`);
    return exitCodes.failed;
  }
}

process.exitCode = await main();
