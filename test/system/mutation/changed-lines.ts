import { execFileSync } from 'node:child_process';
import { basename, dirname } from 'node:path';

/** Returns the output of a git command about the sources. */
function git(...parameters: readonly string[]): string {
  return execFileSync('git', [...parameters, '--', '*.js', '*.ts', '*.tsx'], { encoding: 'utf8' });
}

/**
 * Returns the lines changed since a commit, in the format of Stryker's `mutate`: `path:12-14`. Untracked
 * files are listed whole.
 */
export function changedLines(since: string): readonly string[] {
  const [, ...files] = git('diff', '--unified=0', '--no-prefix', since).split(/^\+\+\+ /m);
  const lines = files.flatMap((text) =>
    [...text.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))? @@/gm)]
      .filter(([, , count]) => count !== '0')
      .map(([, first, count = '1']) => {
        return `${text.slice(0, text.indexOf('\n'))}:${first}-${Number(first) + Number(count) - 1}`;
      }),
  );
  const untracked = git('ls-files', '--others', '--exclude-standard').split('\n');
  return [...lines, ...untracked.filter((path) => path !== '')];
}

/**
 * Returns the tests whose path mirrors the files, as `test/tools/admin/clients.test.ts` mirrors
 * `tools/operator/clients/`; all tests if there are none. Of these tests, Stryker runs those that import a
 * changed file.
 */
export function nearestTests(patterns: readonly string[]): readonly string[] {
  const names = patterns.map((path) => basename(dirname(path)));
  const all = git('ls-files').split('\n');
  const tests = all.filter(
    (path) => path.endsWith('.test.ts') && !/^test\/(system|contract\/[^/]+$)/.test(path),
  );
  const near = tests.filter((path) => names.some((name) => new RegExp(`/${name}(/|\\.test)`).test(path)));
  return near.length > 0 ? near : tests;
}
