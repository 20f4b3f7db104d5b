import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';

/** Where the changed copies of the project are. Git and the linter ignore it. */
const copies = '.mutation/copy';

/** Which mutants are tested, for limits.mjs. */
export interface Limits {
  /** At most so many, at random. */
  readonly sample?: number | undefined;
  readonly seed: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Tests the mutants of a room in what `patterns` names, and counts what became of them.
 *
 * @throws {Error} when the tests fail without a mutant, or do not end in time
 */
export async function mutate(
  room: string,
  patterns: readonly string[],
  tests: readonly string[],
  limits: Limits,
) {
  // A run that was killed leaves its copy of the project behind.
  await rm(copies, { recursive: true, force: true });
  // The processes that run the tests get both, too.
  process.env.MUTATION_TESTS = JSON.stringify(tests);
  process.env.MUTATION_LIMITS = JSON.stringify(limits);
  const results = await new Stryker({
    mutate: [...patterns],
    concurrency: Math.ceil(availableParallelism() / 2),
    testRunner: 'until',
    plugins: ['@stryker-mutator/vitest-runner', './test/system/mutation/limits.mjs'],
    vitest: { configFile: 'test/system/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // A mutant of what runs when a module is loaded would run all tests. The tests of `lib` share templates that are made
    // then, so that nearly all of it would be left out.
    ignoreStatic: room !== 'lib',
    reporters: ['sample', 'progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    htmlReporter: { fileName: '.mutation/report.html' },
    allowConsoleColors: false,
    tempDirName: copies,
    cleanTempDir: 'always',
    ignorePatterns: ['/.local*', '/.mutation', '/cdk.out', '/dist'],
    // No tsconfig.json: Stryker would adapt the file to the copy, with functions that TypeScript 7 lacks. The file works
    // there unchanged.
    tsconfigFile: 'none',
    // The sources are not compiled, so nothing checks the types of a mutant.
    disableTypeChecks: false,
    dryRunTimeoutMinutes: Math.max((limits.until - Date.now()) / 60_000, 0.1),
    // A busy machine is slow; what is slower than this has stopped. It counts as detected.
    timeoutMS: 15_000,
  }).runMutationTest();
  const count = (...statuses: readonly string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  return {
    detected: count('Killed', 'Timeout'),
    survived: count('Survived'),
    untried: count('Pending', 'RuntimeError'),
    uncovered: count('NoCoverage'),
  };
}
