/**
 * Mutation testing: changes the code in one place at a time, and runs the tests that reach the place. A test must fail.
 * Fails when a folder is below its floor (`floors.ts`), or when no test reaches a mutant.
 *
 *     npm run test:long -- mutation [FOLDER...] [--concurrency N]
 *
 * FOLDER is one of `floors.ts`; without one, all of them. `--concurrency` is the number of processes (default: half of
 * the processors). `.mutation/report.html` shows each mutant in its place, and the tests that reach it.
 */
import { availableParallelism } from 'node:os';
import { parseArgs } from 'node:util';
import { evaluate } from './evaluate.ts';
import { floors } from './floors.ts';
import { renderReport } from './report.ts';
import { runStryker } from './run-stryker.ts';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { concurrency: { type: 'string', default: String(Math.ceil(availableParallelism() / 2)) } },
});
const unknown = positionals.filter((folder) => !Object.hasOwn(floors, folder));
if (unknown.length > 0) {
  const names = Object.keys(floors).join(', ');
  process.stderr.write(`error: no such folder: ${unknown.join(', ')}. The folders are: ${names}\n`);
  process.exit(2);
}
const chosen = Object.entries(floors).filter(
  ([folder]) => positionals.length === 0 || positionals.includes(folder),
);
const mutants = await runStryker({
  folders: chosen.map(([folder]) => folder),
  concurrency: Number(values.concurrency),
  terminal: process.stdout.isTTY === true,
});
const scores = evaluate(mutants, Object.fromEntries(chosen));
process.stdout.write(`\n${renderReport(scores)}`);
process.exitCode = scores.every(({ problems }) => problems.length === 0) ? 0 : 1;
