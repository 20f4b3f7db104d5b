import { PassThrough } from 'node:stream';
import { describe, expect, test } from 'vitest';
import { readSecret } from '../../../tools/terminal/secret-input.ts';

const stderrOf = () => Object.assign(new PassThrough(), { isTTY: true });
const written = (stream: PassThrough) => String(stream.read() ?? '');

describe('a secret from standard input', () => {
  test('on a terminal is one line, of which nothing is shown', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const stderr = stderrOf();
    const read = readSecret('Client secret: ', { stdin, stderr });
    stdin.write('the secret\r');
    expect(await read).toBe('the secret');
    expect(written(stderr)).toBe('Client secret: \n');
  });

  test('on a terminal may be longer than a line that the system would take', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const read = readSecret('Access token: ', { stdin, stderr: stderrOf() });
    stdin.write(`${'x'.repeat(10_000)}\r`);
    expect(await read).toHaveLength(10_000);
  });

  test('on a terminal that is closed is empty', async () => {
    const stdin = Object.assign(new PassThrough(), { isTTY: true });
    const read = readSecret('Client secret: ', { stdin, stderr: stderrOf() });
    stdin.end();
    expect(await read).toBe('');
  });

  test('in a pipe is everything, without the line break', async () => {
    const stderr = stderrOf();
    const stdin = new PassThrough();
    stdin.end('the secret\r\n');
    expect(await readSecret('Client secret: ', { stdin, stderr })).toBe('the secret');
    expect(written(stderr)).toBe('');
  });
});
