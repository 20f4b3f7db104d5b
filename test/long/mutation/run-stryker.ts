import { readdir, rm } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import type { TestedMutant } from './evaluate.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the changed copies of the project are. Git and the linter ignore it. */
const copies = '.mutation/copy';

export interface MutationRun {
  /** Whose code is mutated: paths from the project's root. */
  readonly folders: readonly string[];
  /** Number of processes that run tests. */
  readonly concurrency: number;
  /** Whether progress goes to a terminal, which can show a bar. */
  readonly terminal: boolean;
}

/** Has Stryker test every mutant of the folders, and gives the outcome of each. */
export async function runStryker({
  folders,
  concurrency,
  terminal,
}: MutationRun): Promise<readonly TestedMutant[]> {
  // Stryker and its processes take the working directory for the project.
  process.chdir(root);
  // A run that was killed leaves its copy of the project behind.
  await rm(copies, { recursive: true, force: true });
  const results = await new Stryker({
    mutate: folders.map((folder) => `${folder}/**/*.ts`),
    concurrency,
    testRunner: 'vitest',
    plugins: ['@stryker-mutator/vitest-runner'],
    // `related` would look for the tests of a file by its imports, for each mutant; perTest knows them already.
    vitest: { configFile: 'test/long/mutation/vitest.config.ts', related: false },
    coverageAnalysis: 'perTest',
    reporters: [terminal ? 'progress' : 'progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: '.mutation/report.html' },
    jsonReporter: { fileName: '.mutation/report.json' },
    allowConsoleColors: terminal,
    tempDirName: copies,
    cleanTempDir: 'always',
    ignorePatterns: await notNeeded(),
    // The sources are not compiled, so nothing checks the types of a mutant.
    disableTypeChecks: false,
    // A busy machine is slow; what is slower than this has stopped. It counts as detected.
    timeoutMS: 15_000,
    timeoutFactor: 4,
  }).runMutationTest();
  return results.map((result) => ({
    ...result,
    fileName: result.fileName.replace(root, '').replaceAll('\\', '/'),
  }));
}

/** What was made here and is in no commit: state of local runs above all, which may be large. */
async function notNeeded(): Promise<string[]> {
  const entries = await readdir(root);
  const made = entries.filter((name) => /^(\.local(-.*)?|\.mutation|cdk\.out|dist|coverage)$/.test(name));
  return made.map((name) => `/${name}`);
}
