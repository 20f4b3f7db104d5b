import { execFileSync } from 'node:child_process';
import { truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { file, folder, service, upload, uploadContent, useFakeService } from './support/upload-command.ts';

useFakeService();

describe('standard input', () => {
  test('that is empty is rejected, unless it may be empty', async () => {
    const rejected = await upload('- --file orders');
    expect(rejected).toMatchObject({
      code: 1,
      stdout: '',
      stderr: expect.stringContaining('Give --allow-empty to upload it'),
    });
    expect(service.requests).toEqual([]);
    expect(await upload('- --file orders --allow-empty')).toMatchObject({ code: 0 });
    expect(service.requests.at(-1)?.body.length).toBe(0);
  });

  test('that cannot be read is an error, and nothing is sent', async () => {
    const error = Object.assign(new Error('read'), { code: 'EIO' });
    const stdin = new Readable({ read: () => stdin.destroy(error) });
    expect(await upload('- --file orders', { stdin })).toMatchObject({
      code: 1,
      stderr: 'error: Cannot read standard input: i/o error (EIO). Nothing was sent.\n',
    });
    expect(service.requests).toEqual([]);
  });

  test('that cannot be stored is an error that names TMPDIR', async () => {
    vi.stubEnv('TMPDIR', join(folder, 'missing'));
    const run = await upload('- --file orders', { stdin: Readable.from([Buffer.from('abc')]) });
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /^error: Cannot store standard input in ".*missing": .*: set TMPDIR to a folder/,
    );
    expect(service.requests).toEqual([]);
  });
});

function namedPipe(): string {
  const path = join(folder, 'pipe');
  execFileSync('mkfifo', [path]);
  return path;
}

describe('rejected before any request', () => {
  afterEach(() => expect(service.requests).toEqual([]));

  test.for<[string, () => string, RegExp]>([
    ['a missing file', () => join(folder, 'missing'), /missing": there is no such file/],
    ['a folder', () => folder, /is a folder/],
    ['a device', () => '/dev/null', /null" is a device, not/],
    ['a pipe', namedPipe, /is a pipe, .* upload a copy of .* with - as the path/],
  ])('%s', async ([, path, text]) => {
    const run = await upload(`${path()} --file orders`);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(text) });
  });

  test.for<[string, () => string | Promise<string>, RegExp]>([
    ['missing', () => join(folder, 'missing'), /from ".*missing": no such file or directory \(ENOENT\)\.$/m],
    ['empty', () => file('empty', '\n'), /in ".*empty": the file is empty/],
  ])('a secret file that is %s', async ([, path, says]) => {
    const run = await uploadContent('abc', '--client-secret-file', await path());
    expect(run).toMatchObject({ code: 1, stderr: expect.stringMatching(says) });
  });

  test('a file of one byte more than 5 GiB', async () => {
    const path = await file('large', '');
    await truncate(path, 5_368_709_121);
    const run = await upload(`${path} --file orders`);
    expect(run.code).toBe(6);
    expect(run.stderr).toContain(
      ' has 5368709121 bytes, but one upload can have at most 5 GiB (5368709120 bytes).',
    );
    await truncate(path, 0);
  });

  test.for([
    ['no base URL', { FILE_SYNC_BASE_URL: '' }, /--base-url or set FILE_SYNC_BASE_URL/],
    ['no client id', { FILE_SYNC_CLIENT_ID: '' }, /--client-id or set FILE_SYNC_CLIENT_ID/],
    ['no client secret', { FILE_SYNC_CLIENT_SECRET: '' }, /set FILE_SYNC_CLIENT_SECRET/],
    ['no file', { FILE_SYNC_FILE_ID: '' }, /--file or set FILE_SYNC_FILE_ID/],
  ] as const)('%s is a usage error', async ([, env, text]) => {
    const run = await upload(await file('orders.csv', 'abc'), {
      env: { FILE_SYNC_FILE_ID: 'orders', ...env },
    });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(text) });
  });
});
