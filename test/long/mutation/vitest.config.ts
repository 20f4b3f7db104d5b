import { dirname, relative } from 'node:path';
import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { FailedFiles } from './failed-files.ts';

/** Load the SDK, start a server or try many histories. */
const slow = ['entry-points', 'aws-clients', 'tables', 'read-client', 'key-changes'];

/**
 * The first test that fails ends a run. So the tests of the changed file come first, since they most likely fail, then
 * those of its folder, then the quick ones.
 */
class LikeliestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const { related = [], root } = this.ctx.config;
    // Before the first mutant, all files are related.
    const changed = related.length === 1 ? relative(root, related[0] ?? '') : undefined;
    const rank = ({ moduleId }: TestSpecification): number => {
      const test = relative(root, moduleId);
      if (changed !== undefined && test === `test/${changed.replace(/\.ts$/, '.test.ts')}`) {
        return 0;
      }
      const near = changed !== undefined && test.startsWith(`test/${dirname(changed)}/`);
      const isSlow = slow.some((name) => test.endsWith(`/${name}.test.ts`));
      return 1 + (near ? 0 : 1) + (isSlow ? 2 : 0);
    };
    return files.toSorted((a, b) => rank(a) - rank(b) || (a.moduleId < b.moduleId ? -1 : 1));
  }
}

/**
 * The tests that a mutant must pass: all those that call the code in the process of the test. What runs the code as a
 * bundle, in a worker or in another process, cannot be given a mutant.
 */
export default defineConfig({
  test: {
    // The SDK's notice about coming Node versions; package.json says which are fit.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    include: ['test/lambdas/**/*.test.ts', 'test/storage/**/*.test.ts', 'test/contract/data/*.test.ts'],
    // Each mutant gets a new worker, in which what runs when a module is loaded runs again. One worker for all files of
    // a run loads the SDK once.
    isolate: false,
    sequence: { sequencer: LikeliestFirst },
    reporters: [new FailedFiles()],
    // Changed code is slower, and a busy machine too. A mutant that never ends is ended by its own limit (run-stryker.ts).
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
