import { availableParallelism } from 'node:os';
import { defineConfig } from 'vitest/config';

const contract = 'test/contract/*.test.ts';
const system = 'test/system/**/*.test.ts';
const sharedTemplates = 'test/support/assemblies.ts';

export default defineConfig({
  test: {
    globals: true,
    setupFiles: ['test/support/set-up.ts'],
    // Each worker loads the CDK and the SDK once for all of its files: more workers would take more processor time.
    maxWorkers: availableParallelism(),
    isolate: false,
    // For what hangs only: a busy machine takes several times as long as a quiet one.
    testTimeout: 240_000,
    hookTimeout: 240_000,
    // What a test waits for comes immediately on an idle machine, and late on a busy one.
    expect: { poll: { timeout: 60_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'unit',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [contract, system],
          globalSetup: [sharedTemplates],
        },
      },
      {
        extends: true,
        // One deployment serves all files of the contract suite. It is started only when one of them runs.
        test: {
          name: 'contract',
          include: [contract],
          globalSetup: [sharedTemplates, 'test/contract/global-setup.ts'],
        },
      },
      {
        extends: true,
        // `npm run test:system`; `npm test` leaves it out.
        test: { name: 'system', include: [system], globalSetup: [sharedTemplates] },
      },
    ],
  },
});
