import { execFileSync } from 'node:child_process';

const git = (...parameters: readonly string[]) => execFileSync('git', parameters, { encoding: 'utf8' });

/**
 * The lines that were changed since a commit and are still there, as Stryker's `mutate` takes them: `path:12-14`. A file
 * that git does not track is new as a whole.
 */
export function changedLines(since: string): readonly string[] {
  const files = git('diff', '--unified=0', '--no-prefix', since, '--', '*.ts', '*.tsx').split(/^\+\+\+ /m);
  const lines = files.slice(1).flatMap((text) => {
    const path = text.slice(0, text.indexOf('\n'));
    const hunks = text.matchAll(/^@@ \S+ \+(\d+)(?:,(\d+))? @@/gm);
    return [...hunks].flatMap(([, first, count = '1']) =>
      count === '0' ? [] : [`${path}:${first}-${Number(first) + Number(count) - 1}`],
    );
  });
  const untracked = git('ls-files', '--others', '--exclude-standard', '--', '*.ts', '*.tsx');
  return [...lines, ...untracked.split('\n').filter((path) => path !== '')];
}
