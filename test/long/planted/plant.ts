import { mkdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join, relative, sep } from 'node:path';
import { copyAgain } from './copy-project.ts';
import { type Defect, withDefect } from './defect.ts';
import { failedTests, type Outcome, outcomeOf } from './outcome.ts';
import { projectIn, runTests, type TestRun } from './run-tests.ts';

export interface Planting {
  /** A copy of the project without a defect. */
  readonly original: string;
  /** A folder that does not exist yet, for the copy with the defect. It is removed afterwards. */
  readonly folder: string;
  readonly signal: AbortSignal;
}

/** Longest time for the tests of one defect. The longest short form takes a minute on an idle machine. */
const runWithinMilliseconds = 10 * 60_000;

/** Plants one defect in a copy of its own, and runs its tests until one fails. */
export async function plant(defect: Defect, { original, folder, signal }: Planting): Promise<Outcome> {
  try {
    await mkdir(folder);
    await copyAgain(original, projectIn(folder));
    const path = join(projectIn(folder), defect.file);
    const edited = withDefect(await readFile(path, 'utf8'), defect);
    if (edited === undefined) {
      return { result: 'text not found once', detail: defect.file };
    }
    await writeFile(path, edited);
    return await untilCaught(defect.tests, (tests) =>
      runTests(folder, tests, { bail: 1, withinMilliseconds: runWithinMilliseconds, signal }).then((run) =>
        outcomeOfRun(run, projectIn(folder)),
      ),
    );
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

/** Runs one test file or folder after the other, as long as they pass. */
export async function untilCaught(
  tests: readonly string[],
  run: (tests: readonly string[]) => Promise<Outcome>,
): Promise<Outcome> {
  for (const test of tests) {
    const outcome = await run([test]);
    if (outcome.result !== 'not caught') {
      return outcome;
    }
  }
  return { result: 'not caught' };
}

function outcomeOfRun(run: TestRun, root: string): Outcome {
  return run.ended ? outcomeOf(run.report, pathIn(root)) : { result: 'did not end', detail: run.why };
}

/** Longest time for all tests together, without a defect. */
const allWithinMilliseconds = 60 * 60_000;

/** Runs tests in a copy without a defect. @returns what fails; nothing when all pass */
export async function failuresWithoutDefect(
  { original, folder, signal }: Planting,
  tests: readonly string[],
): Promise<readonly string[]> {
  try {
    await mkdir(folder);
    await copyAgain(original, projectIn(folder));
    const run = await runTests(folder, tests, { bail: 0, withinMilliseconds: allWithinMilliseconds, signal });
    if (!run.ended) {
      return [run.why];
    }
    const failed = failedTests(run.report, pathIn(projectIn(folder)));
    const outcome = outcomeOf(run.report, pathIn(projectIn(folder)));
    return failed.length === 0 && outcome.result === 'did not load'
      ? [outcome.detail]
      : failed.map(({ test, testFile }) => `${test} (${testFile})`);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 5 });
  }
}

function pathIn(root: string): (file: string) => string {
  return (file) => relative(root, file).split(sep).join('/');
}
