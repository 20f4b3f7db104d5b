import { defineConfig } from 'vitest/config';

/** Runs the tests that a mutant must pass, as listed by main.ts. */
export default defineConfig({
  test: {
    globals: true,
    setupFiles: ['test/support/set-up.ts'],
    // Random orders of events find mutants that no other test finds, but each mutant would wait for all of
    // them.
    env: { HISTORIES: '5' },
    include: JSON.parse(process.env.MUTATION_TESTS ?? '[]'),
    // One worker for all files of a run loads the SDK only once.
    isolate: false,
    // A separate limit ends a mutant that never ends (main.ts).
    testTimeout: 60_000,
    hookTimeout: 120_000,
    expect: { poll: { timeout: 20_000 } },
  },
});
