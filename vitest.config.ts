import { defineConfig } from 'vitest/config';

const contract = 'test/contract/*.test.ts';

export default defineConfig({
  test: {
    // The SDK's notice about coming Node versions; package.json says which are fit.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Many tests wait for a process that they started, so that two cores serve three files at once.
    maxWorkers: 3,
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for comes at once on an idle machine, and late on a busy one.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      { extends: true, test: { name: 'project', include: ['test/**/*.test.ts'], exclude: [contract] } },
      {
        extends: true,
        // One deployment serves all files of the contract suite. It is started only when one of them runs.
        test: {
          name: 'contract',
          include: [contract],
          testTimeout: 120_000,
          globalSetup: ['test/contract/global-setup.ts'],
        },
      },
    ],
  },
});
