import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { lacks } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import { type FakeService, md5, startFakeService } from '../../tools/upload/support/fake-service.ts';

const missing = lacks('python3', '--version');
const content = Buffer.alloc(3_000_001, 'file sync ');

/** Runs the module as a program, with a slash at the end of the base URL. */
async function upload({ baseUrl }: FakeService, path = 'orders.csv') {
  const cwd = await temporaryFolder();
  await writeFile(join(cwd, 'orders.csv'), content);
  const env = {
    PATH: process.env.PATH,
    FILE_SYNC_BASE_URL: `${baseUrl}/`,
    FILE_SYNC_CLIENT_ID: 'client:1',
    FILE_SYNC_CLIENT_SECRET: 'a secret+%',
    FILE_SYNC_FILE_ID: 'orders',
  };
  const module = resolve('packages/client/python/file_sync.py');
  return runProcess('python3', ['-B', module, path], { cwd, env });
}

describe.skipIf(missing !== undefined)(missing ?? 'the Python module', () => {
  test('sends a file again after a lost response, with a new URL and the same token', async () => {
    const service = await startFakeService();
    service.script.put.push('cut after body');
    const { code, stdout, stderr } = await upload(service);
    expect({ code, stdout }, stderr).toEqual({
      code: 0,
      stdout: `orders.csv is uploaded into file orders: MD5 ${md5(content)}.\n`,
    });
    expect(service.requests.map(({ path }) => path.replace(/\/bucket.*/, 'put'))).toEqual([
      '/oauth/token',
      ...['/v0/files/orders/sync', 'put'],
      ...['/v0/files/orders/sync', 'put'],
    ]);
    expect(service.requests.at(-1)?.body.equals(content)).toBe(true);
  });

  test('replaces a token that has expired', async () => {
    const service = await startFakeService();
    service.script.sync.push({ status: 401 });
    expect(await upload(service)).toMatchObject({ code: 0 });
    expect(service.requests.filter(({ path }) => path === '/oauth/token')).toHaveLength(2);
  });

  test.for<[string, FakeService['script']['put'][number][], RegExp]>([
    ['bytes that were damaged', ['damaged'], /stored bytes have MD5/],
    ['412 after a lost response', ['cut after body', { status: 412 }], /already used.* may be stored anyway/],
  ])('fails for %s', async ([, replies, words]) => {
    const service = await startFakeService();
    service.script.put.push(...replies);
    expect(await upload(service)).toMatchObject({ code: 1, stderr: expect.stringMatching(words) });
  });

  test('rejects a path that is not a file', async () => {
    const service = await startFakeService();
    const { code, stderr } = await upload(service, '/dev/null');
    expect({ code, stderr }).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('not a regular file'),
    });
    expect(service.requests).toEqual([]);
  });
});
