import { Command } from 'commander';
import { InvalidInput } from '../../../tools/operator/errors.ts';
import { CommandError } from '../../../tools/terminal/errors.ts';
import { runHere } from './support/programs.ts';

/** Runs a program that fails with the given error. */
const failing = (error: Error, env?: NodeJS.ProcessEnv) =>
  runHere(
    new Command('x').action(() => Promise.reject(error)),
    [],
    env,
  );

test.for([
  [1, new Error('It failed.')],
  [2, new InvalidInput('It failed.')],
  [4, new CommandError('It failed.', 4)],
] as const)('the exit code is %i after %s', async ([code, error]) => {
  expect(await failing(error)).toEqual({ code, stdout: '', stderr: 'error: It failed.\n' });
});

test('with DEBUG, an error shows where it was thrown', async () => {
  const { stderr } = await failing(new Error('It failed.'), { DEBUG: '1' });
  expect(stderr).toMatch(/^error: It failed\.\nError: It failed\.\n {4}at .*\n$/s);
});
