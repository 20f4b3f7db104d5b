import { defineConfig } from 'vitest/config';

/**
 * The tests that a mutant must pass: all those that call the code in the process of the test. What runs the code as a
 * bundle, in a worker or in another process, cannot be given a mutant.
 */
export default defineConfig({
  test: {
    // The SDK's notice about coming Node versions; package.json says which are fit.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    include: ['test/lambdas/**/*.test.ts', 'test/storage/**/*.test.ts'],
    // What runs when a module is loaded has to run again for each mutant.
    isolate: true,
    // Changed code is slower, and a busy machine too. A mutant that never ends is ended by its own limit (run-stryker.ts).
    testTimeout: 60_000,
  },
});
