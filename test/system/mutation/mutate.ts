import { rm } from 'node:fs/promises';
import { availableParallelism } from 'node:os';
import { Stryker } from '@stryker-mutator/core';

/** Where the changed copies of the project are. Git and the linter ignore it. */
const copies = '.mutation/copy';

interface Mutation {
  readonly room: string;
  /** What is mutated, as Stryker takes it. */
  readonly patterns: readonly string[];
  readonly tests: string;
  /** Remembers the results of the whole room for the next run. */
  readonly whole: boolean;
  readonly force: boolean;
  /** For limits.mjs. The time is in milliseconds since the epoch. */
  readonly limits: {
    readonly sample: number | undefined;
    readonly seed: string;
    readonly until: number;
  };
}

/** Tests the mutants of a room, and counts what became of them. */
export async function mutate({ room, patterns, tests, whole, force, limits }: Mutation) {
  const startedAt = performance.now();
  // A run that was killed leaves its copy of the project behind.
  await rm(copies, { recursive: true, force: true });
  // The processes that run the tests get both, too.
  process.env.MUTATION_TESTS = `${tests}/**/*.test.ts`;
  process.env.MUTATION_LIMITS = JSON.stringify(limits);
  const terminal = process.stdout.isTTY === true;
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
    incremental: whole,
    incrementalFile: `.mutation/${room.replaceAll('/', '-')}.json`,
    force,
    reporters: ['sample', terminal ? 'progress' : 'progress-append-only', 'clear-text', 'html'],
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
    /** Outside of the sample, or when the time was over. */
    untried: count('Pending', 'RuntimeError'),
    uncovered: count('NoCoverage'),
    seconds: (performance.now() - startedAt) / 1000,
  };
}
