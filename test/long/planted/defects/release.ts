import type { Subject } from '../defect.ts';

const otherApp = ['test/lib/other-app.test.ts'];
const packed = ['test/scripts/package/package.test.ts'];
const workflows = ['test/pipeline/workflows.test.ts'];

/** The package, and what takes a change from the repository to an account (docs/package.md, docs/pipeline.md). */
export const release: Subject = {
  subject: 'release',
  defects: [
    {
      name: 'flags-of-the-other-app',
      promise: 'Feature flags of another app do not change the stack (docs/package.md)',
      file: 'lib/file-sync-stack.ts',
      find: '      this.node.setContext(flag, value);\n',
      replace: '      this.node.tryGetContext(flag) ?? this.node.setContext(flag, value);\n',
      tests: otherApp,
    },
    {
      name: 'unknown-setting-ignored',
      promise: 'A setting that does not exist is an error (docs/package.md)',
      file: 'lib/configuration.ts',
      find: '    refuseUnknown(name);\n',
      replace: '',
      tests: ['test/lib/configuration.test.ts'],
    },
    {
      name: 'package-other-code',
      promise: 'Moving to the package deploys no function again (docs/package.md)',
      file: 'lib/bundle/prebuilt-function.ts',
      find: 'assetHashType: AssetHashType.OUTPUT',
      replace: 'assetHashType: AssetHashType.SOURCE',
      tests: packed,
    },
    {
      name: 'package-for-one-cdk',
      promise: 'The package works with later versions of the CDK (docs/package.md)',
      file: 'scripts/package/manifest.ts',
      find: '  return `^${version}`;',
      replace: '  return version;',
      tests: packed,
    },
    {
      name: 'action-not-pinned',
      promise: 'Actions are pinned to a commit (docs/pipeline.md)',
      file: '.github/workflows/check.yml',
      find: 'actions/setup-node@820762786026740c76f36085b0efc47a31fe5020 # v7.0.0',
      replace: 'actions/setup-node@v7',
      tests: workflows,
    },
    {
      name: 'diff-may-write',
      promise: 'A job that runs the code of a pull request writes nothing (docs/pipeline.md)',
      file: '.github/workflows/deploy.yml',
      find: '    permissions:\n      contents: read\n      id-token: write\n    strategy:\n      fail-fast',
      replace:
        '    permissions:\n      contents: read\n      id-token: write\n      pull-requests: write\n    strategy:\n      fail-fast',
      tests: workflows,
    },
    {
      name: 'role-of-every-branch',
      promise: 'A role accepts the token of one environment alone (docs/pipeline.md)',
      file: '.github/aws/pipeline-roles.yaml',
      find: 'Fn::Sub: repo:${Repository}:environment:${Environment}-diff',
      replace: "Fn::Sub: 'repo:${Repository}:*'",
      tests: ['test/pipeline/roles.test.ts'],
    },
    {
      name: 'notes-of-two-releases',
      promise: 'A release shows the section of its version (CONTRIBUTING.md, A release)',
      file: 'scripts/release/release-notes.ts',
      find: "line.startsWith('## ')",
      replace: "line.startsWith('# ')",
      tests: ['test/scripts/release/release-notes.test.ts'],
    },
  ],
};
