import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';
import type { Counts } from './score.ts';

/** Folder of the changed copies of the project. Git and the linter ignore it. */
const copies = '.mutation/copy';

/** Mutants to test, as passed to limits.mjs. */
export interface Limits {
  /** Maximum number of mutants, selected at random. */
  readonly sample?: number | undefined;
  readonly seed: string;
  /** Milliseconds since the epoch. */
  readonly until: number;
}

/**
 * Tests the mutants of a room in the code that matches `patterns`, and counts the results.
 *
 * @throws {Error} if the tests fail without a mutant, or do not end in time
 */
export async function mutate(
  room: string,
  patterns: readonly string[],
  tests: readonly string[],
  limits: Limits,
): Promise<Counts> {
  // A killed run leaves its copy of the project behind.
  await rm(copies, { recursive: true, force: true });
  // The processes that run the tests inherit both.
  process.env.MUTATION_TESTS = JSON.stringify(tests);
  process.env.MUTATION_LIMITS = JSON.stringify(limits);
  const results = await new Stryker({
    mutate: [...patterns],
    concurrency: Math.ceil(availableParallelism() / 2),
    testRunner: 'until',
    plugins: ['@stryker-mutator/vitest-runner', './test/system/mutation/limits.mjs'],
    vitest: { configFile: 'test/system/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    // A mutant in code that runs when a module is loaded would run all tests. The tests of `lib` share
    // templates that are created at that time, so nearly all of `lib` would be skipped.
    ignoreStatic: room !== 'lib',
    reporters: ['sample', 'progress-append-only', 'clear-text', 'html'],
    clearTextReporter: { allowColor: false, logTests: false, reportTests: false, reportScoreTable: false },
    htmlReporter: { fileName: '.mutation/report.html' },
    allowConsoleColors: false,
    tempDirName: copies,
    cleanTempDir: 'always',
    ignorePatterns: ['/.local*', '/.mutation', '/cdk.out', '/dist'],
    // No tsconfig.json: Stryker would adapt the file to the copy, with functions that TypeScript 7 lacks. The
    // unchanged file works there.
    tsconfigFile: 'none',
    // The sources are not compiled, so the types of a mutant are not checked.
    disableTypeChecks: false,
    dryRunTimeoutMinutes: Math.max((limits.until - Date.now()) / 60_000, 0.1),
    // Allows for a busy machine. A slower mutant hangs, and counts as detected.
    timeoutMS: 15_000,
  }).runMutationTest();
  const count = (...statuses: readonly string[]) =>
    results.filter(({ status }) => statuses.includes(status)).length;
  const detected = count('Killed', 'Timeout');
  const tested = detected + count('Survived');
  const uncovered = count('NoCoverage');
  return { mutants: tested + uncovered + count('Pending', 'RuntimeError'), uncovered, tested, detected };
}
