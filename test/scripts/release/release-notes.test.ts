import { execFile } from 'node:child_process';
import { readFile } from 'node:fs/promises';
import { fileURLToPath } from 'node:url';
import { describe, expect, it } from 'vitest';
import { releaseNotes } from '../../../scripts/release/release-notes.ts';

const changelog = `# Changelog

## [Unreleased]

### Added

- Not yet.

## [1.10.0] - 2031-02-03

### Added

- The tenth.

### Fixed

- A line
  that goes on.

## [1.1.0] - 2030-01-02

- The first.

[1.1.0]: https://example.com/1.1.0
`;

describe('the notes of a release', () => {
  it('are the section of its version, and no other', () => {
    expect(releaseNotes('v1.10.0', '1.10.0', changelog)).toBe(
      '### Added\n\n- The tenth.\n\n### Fixed\n\n- A line\n  that goes on.\n',
    );
    expect(releaseNotes('v1.1.0', '1.1.0', changelog)).toBe('- The first.\n');
  });

  it.each([
    [
      'a tag that is not the version',
      'v1.1.0',
      '1.1.1',
      changelog,
      'The tag v1.1.0 is not the version 1.1.1',
    ],
    ['a tag without v', '1.1.0', '1.1.0', changelog, 'The tag 1.1.0 is not the version'],
    ['a version without a section', 'v1.1', '1.1', changelog, 'CHANGELOG.md has no section 1.1.'],
    ['a section without a date', 'v2.0.0', '2.0.0', '## [2.0.0]\n\n- New.\n', 'has no date'],
    ['a date in another form', 'v2.0.0', '2.0.0', '## [2.0.0] - 3 May\n\n- New.\n', 'has no date'],
    [
      'an empty section',
      'v2.0.0',
      '2.0.0',
      '## [2.0.0] - 2031-01-01\n\n### Added\n\n## [1.0.0]\n- Old.\n',
      'says nothing',
    ],
  ])('are refused for %s', (_, tag, version, text, problem) => {
    expect(() => releaseNotes(tag, version, text)).toThrow(problem);
  });

  it('are printed for a tag; what hinders the release goes to standard error', async () => {
    const root = fileURLToPath(new URL('../../../', import.meta.url));
    const { version } = JSON.parse(await readFile(`${root}package.json`, 'utf8'));
    const run = (...parameters: readonly string[]) =>
      new Promise((resolve) => {
        const command = ['--import', 'tsx', 'scripts/release-notes.ts', ...parameters];
        execFile(process.execPath, command, { cwd: root }, (error, stdout, stderr) =>
          resolve({ code: error?.code ?? 0, stdout, stderr }),
        );
      });
    expect(await run()).toMatchObject({ code: 2, stdout: '' });
    const stderr = `error: The tag v0.0.0-none is not the version ${version} of package.json. `;
    expect(await run('v0.0.0-none')).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining(stderr),
    });
  });
});
