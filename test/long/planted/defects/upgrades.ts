import type { Subject } from '../defect.ts';

const compare = ['test/scripts/upgrade/compare.test.ts'];
const items = ['test/storage/released.test.ts'];

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
  ],
};
