import { Command } from 'commander';
import { expect, test } from 'vitest';
import { OperationError } from '../../../tools/operator/errors.ts';
import { CommandError } from '../../../tools/terminal/errors.ts';
import { runProgram } from '../../../tools/terminal/run-program.ts';
import { TextCollector } from '../../support/text-stream.ts';

/** Runs a program that fails. */
async function failing(error: Error, env: NodeJS.ProcessEnv = {}, explain?: (error: unknown) => unknown) {
  const [stdout, stderr] = [new TextCollector(), new TextCollector()];
  const program = new Command('x').action(() => Promise.reject(error));
  const options = { parameters: [], stdout, stderr, env, ...(explain && { explain }) };
  return { code: await runProgram(program, options), stderr: stderr.text };
}

test.for([
  [1, new Error('It failed.')],
  [1, new OperationError('failed', 'It failed.')],
  [2, new OperationError('invalid', 'It failed.')],
  [4, new CommandError('It failed.', 4)],
] as const)('the exit code is %i after %s', async ([code, error]) => {
  expect(await failing(error)).toEqual({ code, stderr: 'error: It failed.\n' });
});

test('an error is explained before it is shown', async () => {
  const explained = await failing(new Error('EX1'), {}, () => new CommandError('Sign in.'));
  expect(explained).toEqual({ code: 1, stderr: 'error: Sign in.\n' });
});

test('with DEBUG, an error shows where it was thrown', async () => {
  const { stderr } = await failing(new Error('It failed.'), { DEBUG: '1' });
  expect(stderr).toMatch(/^error: It failed\.\nError: It failed\.\n {4}at .*\n$/s);
});
