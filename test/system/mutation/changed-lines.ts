import { execFileSync } from 'node:child_process';

/** What git says about the sources. */
const git = (...parameters: readonly string[]) =>
  execFileSync('git', [...parameters, '--', '*.ts', '*.tsx'], { encoding: 'utf8' });

/** The lines that were changed since a commit, as Stryker's `mutate` takes them: `path:12-14`. Untracked files are whole. */
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
