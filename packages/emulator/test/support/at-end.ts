import { afterAll, onTestFinished, TestRunner } from 'vitest';

/**
 * Has this done at the end of the test that runs. While a file is loaded, no test runs: then at the end of its tests.
 * In `beforeAll` it has no effect.
 */
export function atEnd(act: () => unknown): void {
  if (TestRunner.getCurrentTest() === undefined) {
    afterAll(act);
  } else {
    onTestFinished(async () => void (await act()));
  }
}
