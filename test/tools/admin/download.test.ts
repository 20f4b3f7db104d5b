import { lstat, readdir, readFile, symlink, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { startAws } from '../../support/aws.ts';
import { listen } from '../../support/listen.ts';
import { adminOf, failure, rejection } from '../../support/run-admin.ts';
import { type SeededUpload, seedFileWithContent } from '../console/support/seed-uploads.ts';

const content = 'the content '.repeat(100_000);

let folder: string;
let output: string;

const aws = await startAws();
beforeEach(async () => {
  await seed();
  folder = await temporaryFolder();
  output = join(folder, 'out.csv');
});

const run = adminOf(aws.deployment);
const seed = (changes: Partial<SeededUpload> = {}) =>
  seedFileWithContent(aws, { fileId: 'full', body: content, ...changes });
const download = (path = output, ...flags: readonly string[]) =>
  run(`file download full --output ${path}`, ...flags);

test('writes the verified content, and nothing else beside it', async () => {
  expect((await download(output, '--json')).json()).toEqual({
    upload_id: expect.any(String),
    output,
    size: content.length,
  });
  expect(await readFile(output, 'utf8')).toBe(content);
  expect(await readdir(folder)).toEqual(['out.csv']);
  expect(await download('-')).toMatchObject({ code: 0, stdout: content });
});

test('writes the recorded version, not a later one', async () => {
  await aws.putContent(await seed(), 'another');
  expect(await download('-')).toMatchObject({ code: 0, stdout: content });
});

test.for([
  ['shows its progress', {}, true],
  ['draws no progress into content on a terminal', { columns: 80 }, false],
] as const)('with --output - it %s', async ([, terminal, isDrawn]) => {
  let now = 0;
  using _ = vi.spyOn(performance, 'now').mockImplementation(() => (now += 2000));
  const { stderr } = await adminOf(aws.deployment, { keys: '', ...terminal })(
    'file download full --output -',
  );
  expect(stderr.includes('Downloading full')).toBe(isDrawn);
});

describe('other bytes than the stored ones', () => {
  const changed = `${content.slice(0, 600_000)}T${content.slice(600_001)}`;

  test.for<readonly [string, string, RegExp]>([
    ['that are fewer', content.slice(1), /^error: Only 1199999 of 1200000 bytes arrived\./],
    [
      'of the same length',
      changed,
      /\(CRC-64\/NVME\), but LO9U14gF84I= was recorded .* upload the file again\./,
    ],
  ])('%s fail, never come whole, and leave no file', async ([, arriving, message]) => {
    await seed({ stored: arriving });
    const failed = await download();
    expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(message) });
    expect(failed.stderr).toContain('Do not use the received bytes. Try again.\n');
    expect(await readdir(folder)).toEqual([]);
    const streamed = await download('-');
    expect(streamed).toMatchObject({ code: 1, stderr: expect.stringMatching(message) });
    expect(streamed.stdout.length).toBeLessThan(arriving.length);
  });
});

describe('a connection on which no more comes', () => {
  test.for([
    ['is cut', 60_000, 'ECONNRESET'],
    ['stalls', 1000, 'timed out after 1000 ms of inactivity'],
  ] as const)(
    '%s: the download ends with the number of received bytes',
    async ([half, socketTimeout, reason]) => {
      const server = createServer((_, response) => {
        response.writeHead(200, { 'content-length': content.length, 'x-amz-request-id': 'id' });
        response.write(content.slice(0, 600_000), () => half === 'is cut' && response.destroy());
      });
      const { port } = new URL(await listen(server));
      const { deployment } = aws;
      // A deployment sets this option of the SDK's client to two minutes for transfers.
      const awsConfig = { ...deployment.awsConfig, requestHandler: { socketTimeout } };
      (await s3Client({ awsConfig })).middlewareStack.add(
        (next) => (sent) => next({ ...sent, request: Object.assign(Object(sent.request), { port }) }),
        { step: 'finalizeRequest' },
      );
      const failed = await adminOf({ ...deployment, awsConfig })(`file download full --output ${output}`);
      expect(failed.stderr).toMatch(/^error: The connection broke after \d{5,6} of 1200000 bytes: /);
      expect(failed.stderr).toContain(reason);
      expect(await readdir(folder)).toEqual([]);
    },
  );
});

test('a file is replaced with --force only', async () => {
  await writeFile(output, 'mine');
  const rejected = await download();
  expect(rejected).toMatchObject(failure('Add --force'));
  expect(await readFile(output, 'utf8')).toBe('mine');
  expect(await download(output, '--force')).toMatchObject({ code: 0 });
  expect(await readFile(output, 'utf8')).toBe(content);
});

test('a folder and a link are not replaced', async () => {
  const reason = 'is a folder, a link or a device. Only a file is replaced';
  expect((await download(folder, '--force')).stderr).toContain(reason);
  await writeFile(join(folder, 'target'), 'mine');
  await symlink('target', output);
  expect((await download(output, '--force')).stderr).toContain(reason);
  expect(await readFile(output, 'utf8')).toBe('mine');
  expect((await lstat(output)).isSymbolicLink()).toBe(true);
});

test('content that was sent as a form comes with a warning', async () => {
  await seed({ body: '--x', contentType: 'multipart/form-data; boundary=x' });
  expect((await download()).stderr).toContain('Warning: this content was sent as a form');
});

test('is rejected without a folder to write to, or a place for JSON', async () => {
  const nowhere = await download(join(folder, 'no', 'out'));
  expect(nowhere).toMatchObject(failure('no such file or directory'));
  expect(await download('-', '--json')).toMatchObject(rejection('--json cannot be used'));
});
