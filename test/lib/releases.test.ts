import { readFileSync } from 'node:fs';
import { describe, expect, it, test } from 'vitest';
import { synthesized } from '../support/synthesized.ts';
import { rolePermissions } from './policies.ts';
import { permissionProblems, type Release, unusedPermissions } from './releases.ts';

const read = (path: string) => readFileSync(new URL(path, import.meta.url), 'utf8');
const { version }: Pick<Release, 'version'> = JSON.parse(read('../../package.json'));
const last: Release | null = JSON.parse(read('last-release.json'));
const today: Release = {
  version,
  permissions: rolePermissions(synthesized().document).map(({ text }) => text),
  unused: unusedPermissions,
};

/** A release has its date in the changelog, or is a tag (.github/workflows/release.yml). */
function isRecordDue(): boolean {
  const isDated = read('../../CHANGELOG.md').includes(`\n## [${version}] - 2`);
  return process.env.RELEASE_TAG !== undefined || (isDated && last?.version !== version);
}

test('a release grants all that its neighbours use, and is recorded', async () => {
  expect(last ? permissionProblems(last, today) : []).toEqual([]);
  const recorded = isRecordDue() ? today : last;
  await expect(`${JSON.stringify(recorded, null, 2)}\n`).toMatchFileSnapshot('last-release.json');
});

const get = '<SyncRole>:dynamodb:GetItem:<FilesTable.Arn>';
const batch = '<SyncRole>:dynamodb:BatchGetItem:<FilesTable.Arn>';
const put = '<SyncRole>:dynamodb:PutItem:<UploadsTable.Arn>';

function release(releaseVersion: string, permissions: readonly string[], unused: readonly string[] = []) {
  return { version: releaseVersion, permissions, unused };
}

const first = release('1.0.0', [get, put]);

describe('a changed permission', () => {
  it('is rejected if one release swaps it for another', () => {
    expect(permissionProblems(first, release('1.1.0', [batch, put]))).toEqual([
      `${batch} is used, but 1.0.0 does not grant it. Grant it in this release, in unusedPermissions, and use it in the next one.`,
      `${get} is used by 1.0.0, and removed. Grant it in this release, in unusedPermissions, and remove it in the next one.`,
    ]);
  });

  it('is accepted if it is granted before its use, and removed after', () => {
    const releases = [
      first,
      release('1.1.0', [get, batch, put], [batch]),
      release('1.2.0', [get, batch, put], [get]),
      release('1.3.0', [batch, put]),
    ];
    const pairs = releases.slice(1).map((next, index) => [releases[index] ?? next, next] as const);
    expect(pairs.flatMap(([before, next]) => permissionProblems(before, next))).toEqual([]);
  });

  it('is rejected if it is unused in two releases', () => {
    const early = release('1.1.0', [get, put, batch], [batch]);
    expect(permissionProblems(early, { ...early, version: '1.2.0' })).toEqual([
      `${batch} was unused in 1.1.0 too. Use it, or remove it.`,
    ]);
    expect(permissionProblems(early, early)).toEqual([]);
  });

  it.for([
    ['a new function', '<AuditRole>:dynamodb:GetItem:<FilesTable.Arn>'],
    ['a new resource', '<SyncRole>:dynamodb:GetItem:<LocksTable.Arn>'],
  ])('is accepted for %s', ([, added = '']) => {
    expect(permissionProblems(first, release('1.1.0', [get, put, added]))).toEqual([]);
  });

  it('is accepted for a removed function, not for a removed resource', () => {
    const audit = '<AuditRole>:dynamodb:Scan:<AuditTable.Arn>';
    const next = release('1.1.0', [get]);
    expect(permissionProblems(release('1.0.0', [get, audit]), next)).toEqual([]);
    expect(permissionProblems(first, next)).toEqual([
      `${put} is used by 1.0.0, and removed. Grant it in this release, in unusedPermissions, and remove it in the next one.`,
    ]);
  });
});
