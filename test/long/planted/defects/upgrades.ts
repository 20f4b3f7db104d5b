import type { Subject } from '../defect.ts';

const compare = ['test/scripts/upgrade/compare.test.ts'];
const items = ['test/storage/released.test.ts'];
const gradual = ['test/lib/gradual-deployment.test.ts'];

/** What an update of a deployment must not lose (docs/deployment.md, Before an update). */
export const upgrades: Subject = {
  subject: 'upgrades',
  defects: [
    {
      name: 'upgrade-attribute-required',
      promise: 'Items of every released version stay readable (CONTRIBUTING.md, A stored attribute)',
      file: 'storage/client.ts',
      find: 'const clientEntries = {\n',
      replace: 'const clientEntries = {\n  region: textAttribute,\n',
      tests: items,
    },
    {
      name: 'upgrade-attribute-renamed',
      promise: 'Items of every released version are read with every value (CONTRIBUTING.md, A release)',
      file: 'storage/upload.ts',
      find: '  superseded_at: v.exactOptional(textAttribute),',
      replace: '  replaced_at: v.exactOptional(textAttribute),',
      tests: items,
    },
    {
      name: 'upgrade-lost-values-allowed',
      promise: 'The check of an upgrade finds stored values that are lost (docs/deployment.md)',
      file: 'scripts/upgrade/stored-items.ts',
      find: '    if (place < 0) {',
      replace: '    if (place < -1) {',
      tests: items,
    },
    {
      name: 'upgrade-references-ignored',
      promise: 'What refers to a replaced resource is replaced, too (docs/deployment.md)',
      file: 'scripts/upgrade/replacements.ts',
      find: '[...referencesIn(value)].flatMap',
      replace: '[...referencesIn(path)].flatMap',
      tests: compare,
    },
    {
      name: 'upgrade-weaker-policy-allowed',
      promise: 'A retention policy that gets weaker is found (docs/deployment.md)',
      file: 'scripts/upgrade/protections.ts',
      find: 'RetainExceptOnCreate: 2',
      replace: 'RetainExceptOnCreate: 0',
      tests: compare,
    },
    {
      name: 'upgrade-two-indexes-allowed',
      promise: 'DynamoDB makes or removes one index of a table in one update (docs/deployment.md)',
      file: 'scripts/upgrade/tables.ts',
      find: 'changes.length > 1',
      replace: 'changes.length > 2',
      tests: compare,
    },
    {
      name: 'upgrade-removed-output-allowed',
      promise: 'An output that goes is found (docs/deployment.md)',
      file: 'scripts/upgrade/compare.ts',
      find: '  if (now === undefined) {\n    return [\n',
      replace: '  if (now === undefined) {\n    return [] as const;\n    return [\n',
      tests: compare,
    },
    {
      name: 'upgrade-release-not-fetched',
      promise: 'A shallow clone gets the last release from its remote (CONTRIBUTING.md, Checks)',
      file: 'scripts/upgrade/repository.ts',
      find: 'return tags.find(',
      replace: 'return tags.slice(tags.length).find(',
      tests: ['test/scripts/upgrade/repository.test.ts'],
    },
    {
      name: 'upgrade-alias-before-its-permission',
      promise: 'Switching gradualDeployment on loses no request (docs/deployment.md)',
      file: 'lib/api.ts',
      find: 'integration.addResourceDependency(handler.allowAliasInvocation(id, alias, source));',
      replace: 'handler.allowAliasInvocation(id, alias, source);',
      tests: gradual,
    },
    {
      name: 'upgrade-function-not-permitted',
      promise: 'Switching gradualDeployment off loses no request (docs/deployment.md)',
      file: 'lib/api.ts',
      find: '    route.addResourceDependency(handler.allowInvocation(id, source));\n',
      replace:
        '    if (alias === undefined) {\n      route.addResourceDependency(handler.allowInvocation(id, source));\n    }\n',
      tests: gradual,
    },
    {
      name: 'upgrade-aliases-removed-too-early',
      promise: 'Aliases are removed when no request is sent to them any more (docs/decisions/0032)',
      file: 'lambdas/alias-removal/alias-removal.ts',
      find: "RequestType === 'Delete'",
      replace: "RequestType === 'Update'",
      tests: ['test/lambdas/alias-removal'],
    },
    {
      name: 'upgrade-removal-waits-for-nothing',
      promise: 'CloudFormation waits before it removes the aliases (docs/decisions/0032)',
      file: 'lib/gradual-deployment.ts',
      find: 'addDependency(props.after, ...inUse)',
      replace: 'addDependency(props.after, ...inUse.slice(inUse.length))',
      tests: gradual,
    },
    {
      name: 'release-not-taken-back-at-an-alarm',
      promise: 'An alarm takes a gradual deployment back (docs/deployment.md)',
      file: 'lib/gradual-deployment.ts',
      find: "'DEPLOYMENT_STOP_ON_ALARM', ",
      replace: '',
      tests: gradual,
    },
    {
      name: 'release-watched-with-the-old-version',
      promise: 'An alarm looks at the new version alone (docs/decisions/0032)',
      file: 'lib/gradual-deployment.ts',
      find: '          ExecutedVersion: version.version,\n',
      replace: '',
      tests: gradual,
    },
    {
      name: 'emulator-alias-with-the-permission-of-its-function',
      promise: 'A permission for a function is none for its aliases (emulator/README.md)',
      file: 'emulator/api-gateway/http-api.ts',
      find: 'FunctionName === target.arn)',
      replace: 'target.arn.startsWith(FunctionName))',
      tests: ['test/emulator/api-gateway/http-api.test.ts'],
    },
  ],
};
