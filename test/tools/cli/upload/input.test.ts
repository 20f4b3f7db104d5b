import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { describe, expect, test, vi } from 'vitest';
import { chunks, file, folder, service, upload, useFakeService } from '../support/upload-command.ts';

useFakeService();

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('begun');
  throw error;
}

describe('standard input', () => {
  test('that is empty is refused, because its producer may have failed, unless it may be empty', async () => {
    const refused = await upload(['-', '--file', 'orders']);
    expect(refused).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Give --allow-empty to upload it'),
    });
    expect(service.requests).toEqual([]);
    expect(await upload(['-', '--file', 'orders', '--allow-empty'])).toMatchObject({ code: 0 });
    expect(service.requests.at(-1)?.body.length).toBe(0);
  });

  test('from a terminal is asked for', async () => {
    const stdin = Object.assign(chunks(Buffer.from('typed')), { isTTY: true });
    expect((await upload(['-', '--file', 'orders'], { stdin })).stderr).toContain('Press Ctrl-D to end it');
  });

  test('that cannot be read is told as such, and nothing is sent', async () => {
    const stdin = failing(Object.assign(new Error('read'), { code: 'EIO' }));
    expect(await upload(['-', '--file', 'orders'], { stdin })).toMatchObject({
      code: 1,
      stderr: 'error: Cannot read standard input: the device reported an error (EIO). Nothing was sent.\n',
    });
    expect(service.requests).toEqual([]);
  });

  test('that cannot be kept is told as such, and where to keep it', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    const run = await upload(['-', '--file', 'orders'], { stdin: chunks(Buffer.from('abc')) });
    vi.unstubAllEnvs();
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^error: Cannot store standard input in ".*missing": .*: set TMPDIR to a folder/,
    );
    expect(service.requests).toEqual([]);
  });
});

describe('what is refused before any request', () => {
  test.each([
    ['a missing file', () => join(folder, 'missing'), 1, /There is no file/],
    ['a folder', () => folder, 1, /is a folder/],
    ['a device', () => '/dev/null', 1, /is not a regular file/],
  ])('%s', async (_, path, code, text) => {
    const run = await upload([path(), '--file', 'orders']);
    expect(run).toMatchObject({ code, stderr: expect.stringMatching(text) });
    expect(service.requests).toEqual([]);
  });

  test('a secret file that is not there, in words', async () => {
    const missing = join(folder, 'missing');
    const path = await file('orders.csv', 'abc');
    const run = await upload([path, '--file', 'orders', '--client-secret-file', missing]);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(/from ".*missing": there is no such file or folder \(ENOENT\)\.$/m);
    expect(service.requests).toEqual([]);
  });

  test('a secret file that is empty, as such', async () => {
    const empty = await file('empty-secret', '\n');
    const path = await file('orders.csv', 'abc');
    const run = await upload([path, '--file', 'orders', '--client-secret-file', empty]);
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringMatching(/in ".*empty-secret": the file is empty/),
    });
    expect(service.requests).toEqual([]);
  });

  test('a file of one byte more than 5 GiB', async () => {
    const path = await file('large', '');
    await truncate(path, 5_368_709_121);
    const run = await upload([path, '--file', 'orders']);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain(
      ' has 5368709121 bytes, but one upload can have at most 5.0 GiB (5368709120 bytes).',
    );
    expect(service.requests).toEqual([]);
    await truncate(path, 0);
  });

  test.each([
    ['no base URL', { FILE_SYNC_BASE_URL: '' }, /--base-url or set FILE_SYNC_BASE_URL/],
    ['no client id', { FILE_SYNC_CLIENT_ID: '' }, /--client-id or set FILE_SYNC_CLIENT_ID/],
    ['no client secret', { FILE_SYNC_CLIENT_SECRET: '' }, /set FILE_SYNC_CLIENT_SECRET/],
    ['no file', { FILE_SYNC_FILE_ID: '' }, /--file or set FILE_SYNC_FILE_ID/],
    ['an unencrypted base URL', { FILE_SYNC_BASE_URL: 'http://files.example.com' }, /must start with https/],
    ['a base URL that is none', { FILE_SYNC_BASE_URL: 'files.example.com' }, /is not a base URL/],
  ])('%s is a usage error', async (_, env, text) => {
    const run = await upload([await file('orders.csv', 'abc')], {
      env: { FILE_SYNC_FILE_ID: 'orders', ...env },
    });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(text) });
    expect(service.requests).toEqual([]);
  });
});
