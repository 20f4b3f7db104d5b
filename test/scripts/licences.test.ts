import { readFile } from 'node:fs/promises';
import { describe, expect, it } from 'vitest';
import { judgeLicence, renderLicences, runtimePackages } from '../../scripts/licences/licences.ts';

const root = new URL('../../', import.meta.url);

describe('a licence', () => {
  it.each(['MIT', 'Apache-2.0', '(MIT OR GPL-3.0-or-later)', 'MIT AND ISC', 'AGPL-3.0-only OR 0BSD'])(
    '%s may be used',
    (licence) => {
      expect(judgeLicence(licence)).toBe('allowed');
    },
  );

  it.each([
    'AGPL-3.0-only',
    'GPL-3.0-or-later',
    'MIT AND AGPL-3.0-only',
    'UNLICENSED',
    'SEE LICENSE IN LICENSE',
    'unknown',
    '',
    '(MIT AND (GPL-2.0 OR ISC))',
  ])('%j may not', (licence) => {
    expect(judgeLicence(licence)).toBe('refused');
  });
});

it('is read of run-time packages, of the installed one before the lock file, and unknown where neither says', async () => {
  const lock = {
    packages: {
      '': { license: 'none' },
      'node_modules/a': { version: '1.0.0', license: 'MIT' },
      'node_modules/a/node_modules/@b/c': { version: '2.0.0' },
      'node_modules/d': { version: '3.0.0', license: 'AGPL-3.0-only', dev: true },
    },
  };
  const packages = await runtimePackages(lock, async (path) =>
    path === 'node_modules/a' ? { license: 'ISC' } : undefined,
  );
  expect(packages).toEqual([
    { name: '@b/c', version: '2.0.0', licence: 'unknown' },
    { name: 'a', version: '1.0.0', licence: 'ISC' },
  ]);
});

it('of every run-time package may be used, and docs/licences.md lists them all', async () => {
  const lock: unknown = JSON.parse(await readFile(new URL('package-lock.json', root), 'utf8'));
  const packages = await runtimePackages(lock, async (path) =>
    JSON.parse(await readFile(new URL(`${path}/package.json`, root), 'utf8').catch(() => 'null')),
  );
  expect(packages.length).toBeGreaterThan(20);
  expect(packages.filter(({ licence }) => judgeLicence(licence) === 'refused')).toEqual([]);
  const page = await readFile(new URL('docs/licences.md', root), 'utf8');
  expect(page === renderLicences(packages), 'stale: run npm run licences').toBe(true);
});
