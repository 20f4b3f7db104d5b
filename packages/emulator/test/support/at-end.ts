import { TestRunner } from 'vitest';

/**
 * Runs an action at the end of the current test. While a file is loaded, no test runs: the action then runs
 * at the end of the file's tests. Ignored in `beforeAll`.
 */
export function atEnd(act: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) {
    afterAll(act);
  } else {
    onTestFinished(async () => void (await act()));
  }
}
