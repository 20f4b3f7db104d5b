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
import { subjects } from './defects/all.ts';
import { createProgress } from './progress.ts';
import { countsTable, defectsTable, jsonOf, lineOf, listOf } from './report.ts';
import { FailingTestsError, runPlanted } from './run-planted.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const interrupted = new AbortController();
for (const signal of ['SIGINT', 'SIGTERM'] as const) {
  process.on(signal, () => interrupted.abort());
}

async function main(): Promise<number> {
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
  const chosen = choose(subjects, positionals);
  if (values.list) {
    process.stdout.write(listOf(chosen));
    return 0;
  }
  const startedAt = performance.now();
  const total = chosen.flatMap(({ defects }) => defects).length;
  const progress = createProgress(process.stdout, total);
  const planted = await runPlanted({
    root,
    subjects: chosen,
    parallel,
    progress,
    signal: interrupted.signal,
  });
  progress.finish();
  const seconds = Math.round((performance.now() - startedAt) / 1000);
  const missed = planted.filter(({ outcome }) => outcome.result !== 'caught');
  process.stdout.write(`\n${defectsTable(planted)}\n${countsTable(planted)}\n`);
  process.stdout.write(`took ${seconds} s; not caught: ${missed.length}\n`);
  for (const one of missed) {
    process.stdout.write(`  ${lineOf(one)}\n`);
  }
  if (values.json !== undefined) {
    await writeFile(values.json, jsonOf(planted, seconds));
  }
  return missed.length === 0 && planted.length === total ? 0 : 1;
}

try {
  process.exitCode = await main();
} catch (error) {
  const expected =
    error instanceof RangeError || error instanceof TypeError || error instanceof FailingTestsError;
  if (!expected) {
    throw error;
  }
  process.stderr.write(`error: ${error.message}\n`);
  process.exitCode = error instanceof FailingTestsError ? 1 : 2;
}
