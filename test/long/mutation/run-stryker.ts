import { readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { Stryker } from '@stryker-mutator/core';
import type { TestedMutant } from './evaluate.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/** Where the changed copies of the project are. Git and the linter ignore it. */
const copies = '.mutation/copy';

/** Stryker's outcomes of earlier runs. */
const outcomes = '.mutation/outcomes.json';

export interface MutationRun {
  /** Whose code is mutated: paths from the project's root. */
  readonly folders: readonly string[];
  /** Number of processes that run tests. */
  readonly concurrency: number;
  /** Whether progress goes to a terminal, which can show a bar. */
  readonly terminal: boolean;
  /** Whether a mutant that was killed stays so while its file and the test that killed it are as they were. */
  readonly reuse: boolean;
}

/** Has Stryker test every mutant of the folders, and gives the outcome of each. */
export async function runStryker({
  folders,
  concurrency,
  terminal,
  reuse,
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
    // A mutant of what runs when a file is loaded has no tests of its own: it runs those that import the file.
    vitest: { configFile: 'test/long/mutation/vitest.config.ts', related: true },
    coverageAnalysis: 'perTest',
    reporters: [terminal ? 'progress' : 'progress-append-only', 'html', 'json'],
    htmlReporter: { fileName: '.mutation/report.html' },
    jsonReporter: { fileName: '.mutation/report.json' },
    allowConsoleColors: terminal,
    incremental: true,
    incrementalFile: outcomes,
    force: !reuse,
    tempDirName: copies,
    cleanTempDir: 'always',
    ignorePatterns: await notNeeded(),
    // The sources are not compiled, so nothing checks the types of a mutant.
    disableTypeChecks: false,
    // A busy machine is slow; what is slower than this has stopped. It counts as detected.
    timeoutMS: 15_000,
    timeoutFactor: 4,
  }).runMutationTest();
  await forgetUndetected();
  return results.map((result) => ({
    ...result,
    fileName: result.fileName.replace(root, '').replaceAll('\\', '/'),
  }));
}

/** The next run tests again what this one did not detect. Stryker would not, when the test of a mutant has only changed. */
async function forgetUndetected(): Promise<void> {
  const report: { files: Record<string, { mutants: { status: string }[] }> } = JSON.parse(
    await readFile(outcomes, 'utf8'),
  );
  for (const file of Object.values(report.files)) {
    file.mutants = file.mutants.filter(({ status }) => status === 'Killed');
  }
  await writeFile(outcomes, JSON.stringify(report));
}

/** What was made here and is in no commit: state of local runs above all, which may be large. */
async function notNeeded(): Promise<string[]> {
  const entries = await readdir(root);
  const made = entries.filter((name) => /^(\.local(-.*)?|\.mutation|cdk\.out|dist|coverage)$/.test(name));
  return made.map((name) => `/${name}`);
}
