import { expect, test } from 'vitest';
import { allCommands, runNothing } from './support/programs.ts';

test('the help of every command fits a terminal of 80 columns', async () => {
  const commands = allCommands();
  expect(commands.length).toBeGreaterThan(25);
  const wrong: string[] = [];
  for (const { program, path } of commands) {
    const { code, stdout, stderr } = await runNothing(program, [...path, '--help'], 80);
    // An example is one line, so that it can be copied.
    const isTooWide = stdout.split('\n').some((line) => line.length > 80 && !line.includes(` ${program} `));
    if (code !== 0 || stderr !== '' || !stdout.startsWith('Usage: ') || isTooWide) {
      wrong.push([program, ...path].join(' '));
    }
  }
  expect(wrong).toEqual([]);
});

test('the help of both tools names exit code 130', async () => {
  for (const program of ['admin', 'upload'] as const) {
    const { stdout } = await runNothing(program, ['--help']);
    expect(stdout).toMatch(/^ {2}130 {2}stopped by Ctrl-C/m);
  }
});
