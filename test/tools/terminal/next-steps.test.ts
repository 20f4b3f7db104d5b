import type { NextStep } from '../../../tools/operator/description/next-step.ts';
import { InvalidInput, OperationError } from '../../../tools/operator/errors.ts';
import { typedLine } from '../../../tools/terminal/help.ts';
import { nextLines, withNextCommands } from '../../../tools/terminal/next-steps.ts';

const typed = (...parameters: readonly string[]) => typedLine('admin --local', parameters);

test.for<readonly [string, NextStep]>([
  ["admin --local client show 'a b'", { noun: 'client', verb: 'show', id: 'a b' }],
  ['admin --local upload list --request r=', { noun: 'upload', verb: 'list', answers: { request: 'r=' } }],
  [
    'admin --local file disable-sync f --cancel-uploads',
    { noun: 'file', verb: 'disable-sync', id: 'f', answers: { cancelUploads: 'true' } },
  ],
  ['admin --local doctor', { do: 'check deployment' }],
  ["admin --local search 'a b'", { do: 'search', text: 'a b' }],
  ['npm start', { do: 'start local run', stateDirectory: '.local' }],
  ['npm start -- --state here', { do: 'start local run', stateDirectory: 'here' }],
])('a next step is typed as %s', ([line, step]) => {
  expect(nextLines([step, step], typed)).toBe(`\n  ${line}`.repeat(2));
});

test('the commands that help stand below the message of an error', () => {
  const error = new InvalidInput('It is wrong.', { do: 'check deployment' });
  const message = 'It is wrong.\n  admin --local doctor';
  expect(withNextCommands(error, typed)).toMatchObject({ message, exitCode: 2 });
});

test.for([new OperationError('It failed.'), new Error('It broke.')])(
  'an error without a next step is as it was: %s',
  (error) => expect(withNextCommands(error, typed)).toBe(error),
);
