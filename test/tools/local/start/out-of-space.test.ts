import { StartProblem } from 'cloud-assembly-emulator';
import { expect, test } from 'vitest';
import { explainFullDisk } from '../../../../tools/local/start/out-of-space.ts';

const sentence =
  /^The local run could not start: no space is left on the disk.* It writes to \/state and, for a moment, to .*Free some space/;

test.each([
  ['an error of the system', Object.assign(new Error('ENOSPC: no space left on device'), { code: 'ENOSPC' })],
  [
    'a stack trace of the synthesis',
    new StartProblem('Error: ENOSPC: no space left on device, write\n  at x.js:1'),
  ],
  ['the words of LevelDB', new Error('IO error: 000003.log: No space left on device')],
])('a full disk is told in one sentence: %s', (_, error) => {
  const explained = explainFullDisk(error, '/state', false);
  expect(explained).toBeInstanceOf(StartProblem);
  expect(explained).toMatchObject({ message: expect.stringMatching(sentence), stack: error.stack });
});

test('what fails after the disk was full is told as the same', () => {
  const error = new StartProblem('FirstSigningKey could not be made: its function failed');
  expect(explainFullDisk(error, '/state', true)).toMatchObject({ message: expect.stringMatching(sentence) });
});

test('another error stays as it is', () => {
  const error = new Error('another');
  expect(explainFullDisk(error, '/state', false)).toBe(error);
});
