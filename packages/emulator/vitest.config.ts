import { defineConfig } from 'vitest/config';

export default defineConfig({
  test: {
    globals: true,
    // The SDK's notice about coming Node versions; package.json defines the supported ones.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // For what hangs only.
    testTimeout: 240_000,
    expect: { poll: { timeout: 60_000 } },
  },
});
