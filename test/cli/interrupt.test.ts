import { PassThrough } from 'node:stream';
import { Command } from 'commander';
import { describe, expect, test } from 'vitest';
import { CommandError, Interrupted } from '../../cli/errors.ts';
import { confirm } from '../../cli/terminal/confirm.ts';
import { runProgram } from '../../cli/terminal/run-program.ts';
import { type Attempted, whatIsLeft } from '../../cli/upload/what-is-left.ts';
import { TextCollector } from '../support/text-stream.ts';
import { uploadId } from './support/fake-service.ts';
import { chunks, file, service, upload, useFakeService } from './support/upload-command.ts';

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

describe('what a stopped upload leaves', () => {
  const url = (query = '?X-Amz-Date=20261122T010203Z&X-Amz-Expires=3600&X-Amz-Signature=secret') =>
    new URL(`https://bucket.example.com/uploads/${uploadId}${query}`);
  const now = Date.UTC(2026, 10, 22, 1, 30);
  const left = (attempted: Attempted | undefined, at = now) =>
    whatIsLeft(attempted, 'admin --stack NAME', at);
  const gigabyte = 1024 ** 3;

  test('before there is a URL: nothing', () => {
    expect(left(undefined)).toBe('Stopped. Nothing was sent.');
  });

  test('on its way: a URL that is still good', () => {
    expect(left({ url: url(), sent: gigabyte, size: 5 * gigabyte })).toBe(
      [
        'Stopped after 1.0 GiB of 5.0 GiB. Nothing was stored.',
        'Its upload URL is still good until 2026-11-22T02:02:03Z, for one PUT. An operator can close it:',
        `  admin --stack NAME upload cancel ${uploadId}`,
      ].join('\n'),
    );
  });

  test('near its end: an upload that may be stored', () => {
    const text = left({ url: url(), sent: gigabyte - 1, size: gigabyte });
    expect(text).toContain('The upload may be stored or not. An operator can check:\n');
    expect(text).toContain(`  admin --stack NAME upload show ${uploadId}\n`);
    expect(text).toContain(`  admin --stack NAME upload cancel ${uploadId}`);
    expect(left({ url: url(), sent: 3, size: 3 })).toMatch(
      /^Stopped after all bytes were sent\. The upload may/,
    );
  });

  test.each([
    ['has expired', url(), Date.UTC(2026, 10, 22, 2, 2, 3)],
    ['does not say when it ends', url(''), now],
    ['says it in another form', url('?X-Amz-Date=tomorrow&X-Amz-Expires=1'), now],
  ])('of a URL that %s nothing is said', (_, ended, at) => {
    expect(left({ url: ended, sent: 0, size: 5 * gigabyte }, at)).not.toContain('good until');
  });

  test('the signature is never shown', () => {
    expect(left({ url: url(), sent: 0, size: 1 })).not.toContain('secret');
  });
});

describe('the upload command', () => {
  useFakeService();

  test('listens while it runs, and says what is left in the words of the reader', async () => {
    const said: (() => void)[] = [];
    let listening = 0;
    const onInterrupt = (say: () => void) => {
      said.push(say);
      listening += 1;
      return () => {
        listening -= 1;
      };
    };
    service.script.put.push({ status: 503 });
    const path = await file('small', 'content');
    // The wait before the second attempt is the moment at which it is stopped.
    const run = await upload([path, '--file', 'orders'], { onInterrupt, beforeRetry: () => said[0]?.() });
    expect(run.code).toBe(0);
    expect(run.stderr).toContain(
      `Stopped after all bytes were sent. The upload may be stored or not. An operator can check:\n  admin --local upload show ${uploadId}\n`,
    );
    expect({ times: said.length, listening }).toEqual({ times: 1, listening: 0 });
  });

  test('says that nothing was sent while it reads standard input', async () => {
    let say: () => void = () => undefined;
    async function* stdin() {
      say();
      yield* chunks(Buffer.from('content'));
    }
    const onInterrupt = (given: () => void) => {
      say = given;
      return () => undefined;
    };
    const run = await upload(['-', '--file', 'orders', '--quiet'], { stdin: stdin(), onInterrupt });
    expect(run).toMatchObject({ code: 0, stderr: 'Stopped. Nothing was sent.\n' });
  });
});
