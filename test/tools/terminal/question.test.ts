import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { confirm, readSecret } from '../../../tools/terminal/question.ts';
import { readText } from '../../support/text-stream.ts';
import { runHere } from './support/programs.ts';

const ctrlC = '\u0003';

/** Creates a terminal, and types the given keys. */
function typing(keys: string) {
  const stdin = Object.assign(new PassThrough(), { isTTY: true });
  const stderr = Object.assign(new PassThrough(), { isTTY: true });
  stdin.write(keys);
  return { stdin, stderr, shown: () => readText(stderr) };
}

describe('a question', () => {
  test.for(['yes\r', ' Y \r'])('%j means yes', async (keys) => {
    await expect(confirm('This deletes it.', false, typing(keys))).resolves.toBeUndefined();
  });

  test('a typed id confirms only as it is', async () => {
    await expect(confirm('This deletes it.', false, typing('acme\r'), 'acme')).resolves.toBeUndefined();
    await expect(confirm('This deletes it.', false, typing('yes\r'), 'acme')).rejects.toThrow(
      'The text was not acme. Nothing was changed.',
    );
  });

  test('restores the terminal', async () => {
    const terminal = typing('yes\r');
    await confirm('This deletes it.', false, terminal);
    expect(terminal.stdin.isPaused()).toBe(true);
  });

  test('is skipped with --yes', async () => {
    const terminal = typing('');
    await confirm('This deletes it.', true, terminal);
    expect(terminal.shown()).toBe('');
  });

  test.for(['stdin', 'stderr'] as const)('without a terminal at %s exits 2', async (name) => {
    const terminal = typing('yes\r');
    terminal[name].isTTY = false;
    const message = 'This deletes it. No terminal is attached to ask for confirmation: add --yes to confirm.';
    await expect(confirm('This deletes it.', false, terminal)).rejects.toMatchObject({
      message,
      exitCode: 2,
    });
  });

  test('anything else means no', async () => {
    const answered = confirm('This deletes it.', false, typing('yes, please\r'));
    await expect(answered).rejects.toThrow(/^Nothing was changed\.$/);
  });

  test.for([ctrlC, '\u0004'])('%j ends the command quietly, with exit code 130', async (keys) => {
    const program = new Command('x').action(() => confirm('This deletes it.', false, typing(keys)));
    expect(await runHere(program, [], { DEBUG: '1' })).toEqual({ code: 130, stdout: '', stderr: '\n' });
  });
});

describe('a secret from standard input', () => {
  test('on a terminal is one line of any length, of which nothing is shown', async () => {
    const terminal = typing(`${'x'.repeat(10_000)}\r`);
    expect(await readSecret('Client secret: ', terminal)).toBe('x'.repeat(10_000));
    expect(terminal.shown()).toBe('Client secret: \n');
  });

  test('on a terminal ends with Ctrl-C', async () => {
    await expect(readSecret('Client secret: ', typing(ctrlC))).rejects.toMatchObject({ exitCode: 130 });
  });

  test('in a pipe is everything, without the line break', async () => {
    const stdin = new PassThrough();
    stdin.end('the secret\r\n');
    const { stderr, shown } = typing('');
    expect(await readSecret('Client secret: ', { stdin, stderr })).toBe('the secret');
    expect(shown()).toBe('');
  });
});
