import { defineConfig } from 'vitest/config';

/** The tests that a mutant must pass, as main.ts names them. */
export default defineConfig({
  test: {
    // Random orders of events find what no other test does, but each mutant would wait for all of them.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true', HISTORIES: '5' },
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    // One worker for all files of a run loads the SDK once.
    isolate: false,
    // A mutant that never ends is ended by its own limit (main.ts).
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
