/**
 * Mutation testing: changes the code in one place at a time, and runs the tests that reach the place. A test must fail.
 * Fails when a folder is below its floor (`floors.ts`), or when no test reaches a mutant.
 *
 *     npm run test:long -- mutation [FOLDER...] [--concurrency N] [--reuse]
 *
 * FOLDER is one of `floors.ts`; without one, all of them. `--concurrency` is the number of processes (default: half of
 * the processors). `--reuse` tests only what the last run did not detect and what has changed since: a mutant that was
 * killed counts as killed while its file and the test that killed it are as they were. `.mutation/report.html` shows each
 * mutant in its place, and the tests that reach it.
 *
 * Only tests that call the code in their own process count (`vitest.config.ts`). Every kind of mutant counts, texts
 * too: clients read descriptions of errors, and operators search the log. So do mutants of what runs when a file is
 * loaded, although each of them runs every test that imports the file: patterns, schemas and names are made there.
 * A mutant that changes nothing is disabled in the code, by a comment with the reason:
 *
 *     // Stryker disable next-line StringLiteral: why no caller can tell the difference
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { evaluate } from './evaluate.ts';
import { floors } from './floors.ts';
import { renderReport } from './report.ts';
import { runStryker } from './run-stryker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    concurrency: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) },
    reuse: { type: 'boolean', default: false },
  },
});
process.exitCode = await main(positionals, Number(values.concurrency), values.reuse);

/** @returns the exit code: 1 when a folder fails or nothing could be tested, 2 when the parameters are not valid */
async function main(folders: readonly string[], concurrency: number, reuse: boolean): Promise<number> {
  const unknown = folders.filter((folder) => !Object.hasOwn(floors, folder));
  if (unknown.length > 0) {
    const names = Object.keys(floors).join(', ');
    process.stderr.write(`error: no such folder: ${unknown.join(', ')}. The folders are: ${names}\n`);
    return 2;
  }
  if (!Number.isInteger(concurrency) || concurrency < 1) {
    process.stderr.write('error: --concurrency must be a whole number from 1 on\n');
    return 2;
  }
  const chosen = Object.fromEntries(
    Object.entries(floors).filter(([folder]) => folders.length === 0 || folders.includes(folder)),
  );
  try {
    const terminal = process.stdout.isTTY === true;
    const scores = evaluate(
      await runStryker({ folders: Object.keys(chosen), concurrency, terminal, reuse }),
      chosen,
    );
    process.stdout.write(`\n${renderReport(scores)}`);
    return scores.every(({ problems }) => problems.length === 0) ? 0 : 1;
  } catch (error) {
    // Stryker has already said which test failed, for example.
    process.stderr.write(`error: no mutant was tested: ${error instanceof Error ? error.message : error}\n`);
    return 1;
  }
}
