import { expect, test } from 'vitest';
import { upload, useFakeService } from '../upload/support/upload-command.ts';
import { allCommands, runNothing } from './support/programs.ts';

const withValue = allCommands().flatMap(({ program, path, command }) =>
  command.options.flatMap(({ long, required }) =>
    required ? [[[program, ...path, long].join(' '), program, [...path, `${long}=`]] as const] : [],
  ),
);

test.for(withValue)('an empty value is rejected: %s', async ([, program, words]) => {
  expect(await runNothing(program, words)).toMatchObject({ code: 2, stdout: '' });
});

test.for([
  ['admin', ['--local', 'client', 'show', '']],
  ['admin', ['--stack', '', 'client', 'list']],
  ['upload', ['', '--file', 'orders']],
] as const)('an empty argument is named: %s %j', async ([program, words]) => {
  const rejected = { code: 2, stderr: expect.stringMatching(/'.+' is empty/) };
  expect(await runNothing(program, words)).toMatchObject(rejected);
});

useFakeService();

test('a wrong value of upload exits 2', async () => {
  const run = await upload([import.meta.filename, '--base-url', 'ftp://files.example.com']);
  expect(run).toMatchObject({ code: 2, stdout: '', stderr: expect.stringContaining('is not a base URL') });
});

test('an unknown option is an error that suggests a similar one', async () => {
  const { code, stderr } = await runNothing('admin', ['file', 'list', '--organization', 'acme']);
  expect(code).toBe(2);
  expect(stderr).toContain("error: unknown option '--organization'\n(Did you mean --organisation?)\n");
});
