import type { RunnerTestCase } from 'vitest';
import type { Reporter, TestModule, Vitest } from 'vitest/node';

/**
 * Gives a test file that cannot be loaded, or whose hooks fail, a test that failed. Stryker looks at the tests alone: a
 * mutant that keeps every test from starting would count as survived, although `npm test` fails with it.
 */
export class FailedFiles implements Reporter {
  private vitest: Vitest | undefined;

  onInit(vitest: Vitest): void {
    this.vitest = vitest;
  }

  onTestModuleEnd(module: TestModule): void {
    const errors = [module, ...module.children.allSuites()].flatMap((suite) => suite.errors());
    const file = this.vitest?.state.getFiles([module.moduleId])[0];
    if (errors.length > 0 && file !== undefined) {
      const test: Pick<RunnerTestCase, 'id' | 'name' | 'type' | 'mode' | 'meta' | 'file' | 'result'> = {
        id: `${file.id}_load`,
        name: 'loads, and its hooks pass',
        type: 'test',
        mode: 'run',
        meta: {},
        file,
        result: { state: 'fail', errors: [...errors] },
      };
      file.tasks.push(test as RunnerTestCase);
    }
  }
}
