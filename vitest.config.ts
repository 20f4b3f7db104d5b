import { defineConfig } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';

const contract = 'test/contract/*.test.ts';

/**
 * What waits longest comes first, so that the others fill its waits. Then one project after the other, since a
 * process serves the files of one project.
 */
class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const rank = ({ moduleId, project }: TestSpecification) => {
      const place = longest.findIndex((name) => moduleId.endsWith(name));
      if (place >= 0) {
        return place;
      }
      return project.name === 'contract' ? longest.length + 1 : longest.length;
    };
    // Files of one rank stay in the order that the runner has learned from earlier runs.
    return (await super.sort(files)).sort((a, b) => rank(a) - rank(b));
  }
}

const longest = [
  'test/long/rotation/rotation.test.ts',
  'test/long/faults/faults.test.ts',
  'test/long/uploads/uploads.test.ts',
  'test/tools/local/run.test.ts',
  'test/long/iam/iam.test.ts',
  'test/tools/cli/commands.test.ts',
  'test/tools/local/keys-and-secrets.test.ts',
  'test/tools/local/upload-life.test.ts',
];

export default defineConfig({
  test: {
    // The SDK's notice about coming Node versions; package.json says which are fit.
    env: { AWS_SDK_JS_NODE_VERSION_SUPPORT_WARNING_DISABLED: 'true' },
    // Many tests wait for a process that they started, so that two cores serve three files at the same time.
    maxWorkers: 3,
    // Files share a process, so that it loads the CDK and the SDK once. No test mocks a module, and what a test replaces, it puts back.
    isolate: false,
    sequence: { sequencer: LongestFirst },
    testTimeout: 60_000,
    hookTimeout: 120_000,
    // What a test waits for comes immediately on an idle machine, and late on a busy one.
    expect: { poll: { timeout: 20_000 } },
    projects: [
      {
        extends: true,
        test: {
          name: 'project',
          include: ['test/**/*.test.ts', 'packages/*/test/**/*.test.ts'],
          exclude: [contract],
          globalSetup: ['test/support/assemblies.ts'],
        },
      },
      {
        extends: true,
        // One deployment serves all files of the contract suite. It is started only when one of them runs.
        test: {
          name: 'contract',
          include: [contract],
          testTimeout: 120_000,
          globalSetup: ['test/support/assemblies.ts', 'test/contract/global-setup.ts'],
        },
      },
    ],
  },
});
