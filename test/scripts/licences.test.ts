import { describe, expect, it } from 'vitest';
import {
  judgeLicence,
  licencesDocument,
  renderLicences,
  runtimePackages,
} from '../../scripts/documents/licences.ts';

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

it('of every run-time package may be used, and the page lists them all', async () => {
  const page = await licencesDocument();
  expect(page.split('\n').filter((line) => /^\| .* \| \d.* \| .* \|$/.test(line)).length).toBeGreaterThan(20);
});

it('stops the page when it is refused or unknown', () => {
  const named = (name: string, licence: string) => ({ name, version: '1.0.0', licence });
  const packages = [named('a', 'MIT'), named('b', 'AGPL-3.0-only'), named('c', 'unknown')];
  expect(() => renderLicences(packages)).toThrow(
    'not among the allowed licences: b 1.0.0 (AGPL-3.0-only), c 1.0.0 (unknown)',
  );
});
