import { allCommands, runNothing } from './support/programs.ts';

const withValue = allCommands().flatMap(({ program, path, command }) =>
  command.options.flatMap(({ long, required }) =>
    required ? [[[program, ...path, long].join(' '), program, [...path, `${long}=`]] as const] : [],
  ),
);

test('no option is missing here', () => expect(withValue.length).toBeGreaterThanOrEqual(71));

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
