/**
 * Mutation testing: changes the code of a folder in one place at a time, and runs the tests that reach the
 * place. A test must fail. Fails when a folder is below its floor (`floors.ts`).
 *
 *     npm run test:system -- mutation [FOLDER...] [--force]
 *
 * FOLDER is one of `floors.ts`; without one, all of them in turn. A mutant is tested again only when its file or its tests
 * have changed since the last run; `--force` tests all. `.mutation/report.html` shows each mutant in its place.
 * A mutant that changes nothing is disabled in the code, by a comment with the reason:
 *
 *     // Stryker disable next-line StringLiteral: why no caller can tell the difference
 */
import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { fileURLToPath } from 'node:url';
import { parseArgs } from 'node:util';
import { Stryker } from '@stryker-mutator/core';
import { type Floor, floors } from './floors.ts';

/** Where the changed copies of the project are. Git and the linter ignore it. */
const copies = '.mutation/copy';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: { force: { type: 'boolean', default: false } },
});
process.exitCode = await main(positionals.length > 0 ? positionals : Object.keys(floors), values.force);

/** @returns the exit code: 1 when a folder is below its floor, 2 for a folder that has none */
async function main(folders: readonly string[], force: boolean): Promise<number> {
  // Stryker and its processes take the working directory for the project.
  process.chdir(fileURLToPath(new URL('../../../', import.meta.url)));
  const lines: string[] = [];
  let exitCode = 0;
  for (const folder of folders) {
    const floor = floors[folder];
    if (floor === undefined) {
      process.stderr.write(
        `error: ${folder} has no floor. The folders are: ${Object.keys(floors).join(', ')}\n`,
      );
      return 2;
    }
    const { detected, survived, uncovered, seconds } = await mutate(folder, floor, force);
    const percent = (100 * detected) / (detected + survived);
    // Also when nothing was covered, and the score is no number.
    const passes = percent >= floor.percent;
    exitCode = passes ? exitCode : 1;
    const verdict = passes ? 'passes' : 'FAILS';
    lines.push(
      `${folder}: ${detected} of ${detected + survived} covered mutants detected, ${percent.toFixed(1)} % ` +
        `(floor ${floor.percent} %); ${uncovered} not covered; ${seconds.toFixed(0)} s: ${verdict}\n`,
    );
  }
  process.stdout.write(`\n${lines.join('')}`);
  return exitCode;
}

/** Folders that have a floor of their own. */
function foldersWithin(folder: string): readonly string[] {
  return Object.keys(floors).filter((other) => other.startsWith(`${folder}/`));
}

async function mutate(folder: string, { tests }: Floor, force: boolean) {
  const startedAt = performance.now();
  // A run that was killed leaves its copy of the project behind.
  await rm(copies, { recursive: true, force: true });
  // The processes that run the tests get it, too.
  process.env.MUTATION_TESTS = `${tests}/**/*.test.ts`;
  const terminal = process.stdout.isTTY === true;
  const results = await new Stryker({
    mutate: [`${folder}/**/*.ts`, ...foldersWithin(folder).map((other) => `!${other}/**`)],
    concurrency: Math.ceil(availableParallelism() / 2),
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    vitest: { configFile: 'test/system/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // A mutant of what runs when a module is loaded would run all tests. The tests of `lib` share templates that are made
    // then, so that nearly all of it would be left out.
    ignoreStatic: folder !== 'lib',
    incremental: true,
    incrementalFile: `.mutation/${folder.replaceAll('/', '-')}.json`,
    force,
    reporters: [terminal ? 'progress' : 'progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { allowColor: terminal, logTests: false, reportTests: false, reportScoreTable: false },
    htmlReporter: { fileName: '.mutation/report.html' },
    allowConsoleColors: terminal,
    tempDirName: copies,
    cleanTempDir: 'always',
    ignorePatterns: ['/.local*', '/.mutation', '/cdk.out', '/dist'],
    // No tsconfig.json: Stryker would adapt the file to the copy, with functions that TypeScript 7 lacks. The file works
    // there unchanged.
    tsconfigFile: 'none',
    // The sources are not compiled, so nothing checks the types of a mutant.
    disableTypeChecks: false,
    // A busy machine is slow; what is slower than this has stopped. It counts as detected.
    timeoutMS: 15_000,
  }).runMutationTest();
  const count = (...statuses: readonly string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return {
    detected: count('Killed', 'Timeout'),
    survived: count('Survived'),
    uncovered: count('NoCoverage'),
    seconds: (performance.now() - startedAt) / 1000,
  };
}
