import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

/** Load the SDK, start a server or try many histories. */
const slow = ['entry-points', 'aws-clients', 'tables', 'read-client', 'key-changes'];

/** The first test that fails ends a run, so the quick files come first. */
class QuickestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId }: TestSpecification) =>
      slow.findIndex((name) => moduleId.endsWith(`/${name}.test.ts`));
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
    // What runs when a module is loaded has to run again for each mutant.
    isolate: true,
    sequence: { sequencer: QuickestFirst },
    // Changed code is slower, and a busy machine too. A mutant that never ends is ended by its own limit (run-stryker.ts).
    testTimeout: 60_000,
  },
});
