import { readFileSync } from 'node:fs';
import { synthesized } from '../support/synthesized.ts';
import { permissionsByRole } from './policies.ts';
import { permissionProblems, type Release, unusedPermissions } from './releases.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { version }: Pick<Release, 'version'> = JSON.parse(read('../../package.json'));
/** Absolute path of an earlier record. The commit of a release records the release itself. */
const previous = process.env.PREVIOUS_RELEASE;
const last: Release | null = JSON.parse(read(previous ?? 'last-release.json'));
const roles = Object.entries(permissionsByRole(synthesized().document));
const permissions = roles.flatMap(([role, lines]) => lines.map((line) => `${role} ${line}`));
const today = { version, permissions, unused: unusedPermissions };

/** A release is a tag (.github/workflows/release.yml), or has its date in the changelog. */
const isDated = read('../../CHANGELOG.md').includes(`\n## [${version}] - 2`);
const isDue = previous !== undefined || (isDated && last?.version !== version);

test('a release grants all that its neighbours use, and is recorded', async () => {
  const advice = 'No release changes a permission and its use: see "A release" in CONTRIBUTING.md';
  expect(last ? permissionProblems(last, today) : [], advice).toEqual([]);
  const text = JSON.stringify(isDue ? today : last, null, 2);
  await expect(`${text}\n`).toMatchFileSnapshot('last-release.json');
});

const get = '<SyncRole> dynamodb:GetItem on <FilesTable.Arn>';
const batch = '<SyncRole> dynamodb:BatchGetItem on <FilesTable.Arn>';
const send = '<SyncRole> sqs:SendMessage on <Queue.Arn>';
const audit = '<AuditRole> dynamodb:GetItem on <FilesTable.Arn>';

test.for([
  ['a swap', [get], [], [batch], [], [`1.0.0 does not grant ${batch}`, `1.0.0 still uses ${get}`]],
  ['a grant before its use', [get], [], [get, batch], [batch], []],
  ['a removal after its use', [get, batch], [get], [batch], [], []],
  ['a new or removed function', [get], [], [audit], [], []],
  ['a new resource', [get], [], [get, send], [], []],
  ['a removed resource', [get, send], [], [get], [], [`1.0.0 still uses ${send}`]],
] as const)('permissions are compared: %s', ([, granted, unused, grantedNext, unusedNext, problems]) => {
  const before = { version: '1.0.0', permissions: granted, unused };
  const after = { version: '1.1.0', permissions: grantedNext, unused: unusedNext };
  expect(permissionProblems(before, after)).toEqual(problems);
});
