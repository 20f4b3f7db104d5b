import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { confirm } from '../../../tools/terminal/confirm.ts';
import { CommandError, Interrupted } from '../../../tools/terminal/errors.ts';
import { runProgram } from '../../../tools/terminal/run-program.ts';
import { TextCollector } from '../../support/text-stream.ts';

describe('at a prompt', () => {
  function terminal() {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = Object.assign(new PassThrough(), { isTTY: true, columns: 80 });
    return { stdin, stderr };
  }

  function answering(key: string) {
    const streams = terminal();
    const answered = confirm('This deletes it.', false, streams);
    streams.stdin.write(key);
    return { answered, shown: () => String(streams.stderr.read()) };
  }

  test('Ctrl-C ends quietly, with exit code 130', async () => {
    const { answered, shown } = answering('\u0003');
    await expect(answered).rejects.toBeInstanceOf(Interrupted);
    expect(shown()).toMatch(/Type yes to continue: .*\n$/s);
    const [stdout, stderr] = [new TextCollector(), new TextCollector()];
    const program = new Command('x').action(() => answered);
    const code = await runProgram(program, { parameters: [], stdout, stderr, env: { DEBUG: '1' } });
    expect({ code, stdout: stdout.text, stderr: stderr.text }).toEqual({ code: 130, stdout: '', stderr: '' });
  });

  test('Ctrl-D means no', async () => {
    const { answered } = answering('\u0004');
    await expect(answered).rejects.toThrow(new CommandError('Nothing was changed.'));
  });

  test.each(['yes\r', 'Y\r'])('%j means yes', async (key) => {
    await expect(answering(key).answered).resolves.toBeUndefined();
  });

  test('anything else means no', async () => {
    await expect(answering('yes, please\r').answered).rejects.toThrow('Nothing was changed.');
  });
});
