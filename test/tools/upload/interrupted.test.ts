import { PassThrough } from 'node:stream';
import { issued, uploadId } from './support/fake-service.ts';
import { file, service, type UploadRun, upload, useFakeService } from './support/upload-command.ts';

useFakeService();

/** Uploads a file, and types Ctrl-C after the given number of requests. */
async function stopAfter(
  requests: number,
  content: Buffer | string,
  ...flags: readonly string[]
): Promise<UploadRun> {
  const path = await file('orders.csv', content);
  const interrupted = expect.poll(() => service.requests.length).toBe(requests);
  return upload([path, '--file orders', ...flags].join(' '), { interrupted });
}

test('Ctrl-C before the upload URL prints that nothing was stored', async () => {
  service.script.sync.push('silent after body');
  const run = await stopAfter(2, 'abc');
  expect(run).toMatchObject({
    code: 130,
    stdout: '',
    stderr: '\nStopped. Nothing was stored. Run the command again to upload the file.\n',
  });
});

test('Ctrl-C during standard input prints that nothing was stored', async () => {
  const stdin = new PassThrough();
  const run = await upload('- --file orders', { stdin, interrupted: Promise.resolve() });
  stdin.end();
  expect(run).toMatchObject({ code: 130, stderr: expect.stringContaining('Nothing was stored.') });
});

test('Ctrl-C during the PUT prints the number of sent bytes', async () => {
  service.script.put.push('silent before body');
  const run = await stopAfter(3, Buffer.alloc(32_000_000));
  expect(run.code).toBe(130);
  expect(run.stderr).toMatch(/^\nStopped\. \d+ of 32000000 bytes were sent\. Nothing was stored\. /);
});

test('Ctrl-C in a later attempt names the upload of the earlier one', async () => {
  service.script.put.push('cut after body');
  service.script.sync.push(issued(service.baseUrl), 'silent after body');
  const run = await stopAfter(4, 'abc', '--quiet');
  expect(run).toMatchObject({
    code: 130,
    stderr: expect.stringContaining(`it may be stored anyway: upload ${uploadId}.`),
  });
  expect(run.stderr).not.toContain('Nothing was stored');
});

test('Ctrl-C leaves one JSON object for --json', async () => {
  service.script.put.push('silent after body');
  const run = await stopAfter(3, 'abc', '--json');
  expect(JSON.parse(run.stdout)).toMatchObject({ error: run.stderr.trim() });
});
