import { programWords } from '../../../tools/terminal/help.ts';
import { allCommands, runNothing } from './support/programs.ts';

const commands = allCommands().map(
  ({ program, path }) => [[program, ...path].join(' '), program, path] as const,
);

test.for(commands)('the help of %s fits a terminal of 80 columns', async ([, program, path]) => {
  const { code, stdout, stderr } = await runNothing(program, [...path, '--help'], 80);
  // An example is always on one line, so that people can copy it.
  const lines = stdout.split('\n').filter((line) => !/^ {2}np[mx] /.test(line));
  expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
  expect(stdout).toMatch(/^Usage: /);
  expect(lines.filter((line) => line.length > 80)).toEqual([]);
});

test.for(['admin', 'upload'] as const)('the help of %s names exit code 130', async (program) => {
  const { stdout } = await runNothing(program, ['--help']);
  expect(stdout).toMatch(/^ {2}130 {2}stopped by Ctrl-C/m);
});

test('the help of a command ends with examples, as the reader types them', async () => {
  const { stdout } = await runNothing('admin', ['client', 'rotate-secret', '--help']);
  const line = 'npx file-sync-admin --local client rotate-secret CLIENT_ID --grace 12h';
  expect(stdout).toMatch(new RegExp(`\\n\\nExamples:\\n  ${line}\\n$`));
});

test.for([
  ['npm run -s admin --', { npm_lifecycle_event: 'admin' }, 'tools/admin/main.ts'],
  ['npx file-sync-admin', { npm_lifecycle_event: 'npx' }, 'node_modules/.bin/file-sync-admin'],
  ['node file-sync-admin.mjs', { npm_lifecycle_event: 'upload' }, 'dist/file-sync-admin.mjs'],
  ['file-sync-admin', {}, '/usr/bin/file-sync-admin'],
  ['file-sync-admin', {}, undefined],
] as const)('the reader types %s with %o and %s', ([words, env, path]) => {
  expect(programWords('admin', env, path)).toBe(words);
});
