import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { homedir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { lacks, offline } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { type Fault, type SeenRequest, startFaultyProxy } from './faulty-proxy.ts';
import { hostileResponses, startHostileService } from './hostile-responses.ts';

/**
 * Runs the examples, and the blocks of docs/api.md, "In your language", against one service, as the team of a
 * client application would. A program without its tool on this machine is skipped, with the reason in its
 * title.
 */

const content = randomBytes(3_000_000);
const folder = await temporaryFolder();
await writeFile(join(folder, 'orders [1].csv'), content);
await writeFile(join(folder, 'empty.csv'), '');

interface Program {
  readonly name: string;
  /** Reason why it cannot run on this machine; undefined if it can. */
  readonly missing: string | undefined;
  readonly build?: readonly string[];
  /** Command, to which the path of the file to upload is appended. */
  readonly run: readonly string[];
}

const java = join(folder, 'java');
const examples: readonly Program[] = [
  {
    name: 'curl',
    missing: lacks('curl', '--version'),
    run: ['sh', resolve('examples/curl/upload-file.sh')],
  },
  { name: 'Node.js', missing: undefined, run: [process.execPath, resolve('examples/node/upload-file.mjs')] },
  {
    name: 'Python',
    missing: lacks('python3', '--version'),
    run: ['python3', resolve('examples/python/upload_file.py')],
  },
  {
    name: 'Go',
    // Its modules must be in the cache.
    missing: lacks('go', '-C', 'examples/go', 'list', '-deps', '.'),
    build: ['go', '-C', 'examples/go', 'build', '-o', join(folder, 'go-upload-file'), '.'],
    run: [join(folder, 'go-upload-file')],
  },
  {
    name: 'Java',
    missing: lacks('javac', '-version'),
    build: ['javac', '-Xlint:all,-serial', '-Werror', '-d', java, 'examples/java/UploadFile.java'],
    run: ['java', '-XX:TieredStopAtLevel=1', '-cp', java, 'UploadFile'],
  },
];

const page = await readFile('docs/api.md', 'utf8');
const [, section = ''] = page.split('## In your language\n');

/** Creates a program from the block of a language. It sends `orders.csv` of its folder. */
async function blockOf(
  name: string,
  file: string,
  run: readonly string[],
  missing?: string,
): Promise<Program> {
  const pattern = new RegExp(`^### ${name}\n[^#]*?^\`\`\`\\w+\n(.*?)^\`\`\`$`, 'ms');
  const [, code = expect.fail(`docs/api.md has no block for ${name}`)] = pattern.exec(section) ?? [];
  const path = join(folder, file);
  await writeFile(path, code);
  return { name: `${name} of docs/api.md`, missing, run: [...run, path] };
}

const blocks = [
  await blockOf('curl', 'upload.sh', ['sh'], lacks('jq', '--version') ?? lacks('curl', '-V')),
  await blockOf('Python', 'upload.py', ['python3'], lacks('python3', '--version')),
  await blockOf('Node\\.js', 'upload.mjs', [process.execPath]),
  await blockOf('Go', 'upload.go', ['go', 'run'], lacks('go', 'version')),
  await blockOf('Java', 'Upload.java', ['java'], lacks('javac', '-version')),
  await blockOf('PHP', 'upload.php', ['php'], lacks('php', '-r', 'curl_init() || exit(1);')),
  await blockOf('Ruby', 'upload.rb', ['ruby'], lacks('ruby', '-rnet/http', '-e', '')),
];

for (const { missing, build: [program = '', ...parameters] = [] } of examples) {
  if (missing === undefined && program !== '') {
    await promisify(execFile)(program, parameters, { env: { ...process.env, ...offline } });
  }
}

const stack = await useRunningStack();
const storage = await s3Client(stack.deployment);
const { client, newFile } = await createApiUser(stack);

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly seen: readonly SeenRequest[];
}

const kinds = ({ seen }: Outcome) => seen.map(({ kind }) => kind);
const puts = ({ seen }: Outcome) => seen.filter(({ kind }) => kind === 'put');

/** Reads the content that an upload stored in the bucket. Its URL contains bucket and key. */
async function stored(path: string | undefined): Promise<Buffer> {
  const [, bucket, ...key] = decodeURIComponent(path ?? '').split('/');
  const response = await storage.getObject({ Bucket: bucket ?? '', Key: key.join('/') });
  return buffer(response.Body as NodeJS.ReadableStream);
}

/** Checks that no output contains the secret, the token or the signature of an upload URL. */
function expectNoSecrets({ stdout, stderr }: Outcome, secret = client.client_secret): void {
  const text = stdout + stderr;
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/X-Amz-|eyJ/);
}

/** Runs a program on a path, in a folder. */
async function runOn(
  [program = '', ...parameters]: Program['run'],
  path: string,
  { baseUrl = '', secret = client.client_secret, cwd = folder },
) {
  const env = {
    ...offline,
    PATH: process.env.PATH,
    HOME: cwd,
    GOCACHE: process.env.GOCACHE ?? join(homedir(), '.cache/go-build'),
    FILE_SYNC_BASE_URL: baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: secret,
    FILE_SYNC_FILE_ID: await newFile(),
  };
  return runProcess(program, [...parameters, path], { env, cwd, timeout: 220_000 });
}

/** Runs a program on a path through a separate proxy. */
async function upload(
  run: Program['run'],
  path: string,
  {
    faults,
    end = '',
    ...settings
  }: { faults?: readonly Fault[]; end?: string; secret?: string; cwd?: string },
): Promise<Outcome & { readonly code: number | null }> {
  const proxy = await startFaultyProxy(stack, faults);
  const ended = await runOn(run, path, { ...settings, baseUrl: `${proxy.baseUrl}${end}` });
  await proxy.close();
  return { ...ended, seen: proxy.seen };
}

/** Checks that one attempt sent the bytes with their length, and without the token. */
async function expectSent(outcome: Outcome, bytes: Buffer): Promise<void> {
  expect(kinds(outcome)).toEqual(['token', 'sync', 'put']);
  const [put] = puts(outcome);
  expect(put?.headers['content-length']).toBe(String(bytes.length));
  expect(put?.headers).not.toHaveProperty('transfer-encoding');
  expect(put?.headers).not.toHaveProperty('authorization');
  expect((await stored(put?.path)).equals(bytes)).toBe(true);
}

const titleOf = ({ name, missing }: Program) => (missing === undefined ? name : `${name} (${missing})`);

for (const program of examples) {
  describe.skipIf(program.missing !== undefined).concurrent(titleOf(program), () => {
    const { run } = program;
    const example = (path: string, options: Parameters<typeof upload>[2] = {}) =>
      upload(run, path, { end: '/', ...options });

    test.for([
      ['orders [1].csv', content],
      ['empty.csv', Buffer.alloc(0)],
    ] as const)('uploads %s with its length, and without the token', async ([path, bytes]) => {
      const outcome = await example(path);
      expect(outcome).toMatchObject({ code: 0, stderr: '', stdout: 'Uploaded.\n' });
      await expectSent(outcome, bytes);
    });

    test('prints the error of the API for a wrong secret, and sends no more', async () => {
      const outcome = await example('empty.csv', { secret: 'fss_wrong' });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/401: \{"error":"invalid_client","error_description":"The client id /);
      expectNoSecrets(outcome, 'fss_wrong');
      expect(kinds(outcome)).toEqual(['token']);
    });

    test.for([
      [501, ['token', 'sync', 'put']],
      [503, ['token', 'sync', 'put', 'token', 'sync', 'put']],
    ] as const)('prints the error of the storage, and stops or retries: %s', async ([status, requests]) => {
      const outcome = await example('orders [1].csv', { faults: [status, status] });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain(`${status}: made up ${status}`);
      expectNoSecrets(outcome);
      expect(kinds(outcome)).toEqual(requests);
    });

    test('shows no upload URL when both connections broke', async () => {
      const outcome = await example('empty.csv', { faults: ['lost', 'lost'] });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expectNoSecrets(outcome);
    });

    test('retries once with a new URL when the response was lost', async () => {
      const outcome = await example('orders [1].csv', { faults: ['lost'] });
      expect(outcome).toMatchObject({ code: 0, stdout: 'Uploaded.\n' });
      const [first, second] = puts(outcome);
      expect(second?.path).not.toBe(first?.path);
      expect((await stored(second?.path)).equals(content)).toBe(true);
      expectNoSecrets(outcome);
    });
  });
}

/** Creates a folder with `orders.csv`. */
async function folderWith(bytes: string): Promise<string> {
  const cwd = await mkdtemp(join(folder, 'home-'));
  await writeFile(join(cwd, 'orders.csv'), bytes);
  return cwd;
}

for (const block of blocks) {
  describe.skipIf(block.missing !== undefined).concurrent(titleOf(block), () => {
    test.for([
      ['a file', 'id,total\n1,20\n'],
      ['an empty file', ''],
    ])('sends %s with its length, and without the token', async ([, bytes = '']) => {
      const outcome = await upload(block.run, '', { cwd: await folderWith(bytes) });
      const { code, stdout, stderr } = outcome;
      expect({ code, stdout: stdout.trim() }, stderr).toEqual({ code: 0, stdout: '200' });
      await expectSent(outcome, Buffer.from(bytes));
    });

    test('stops at a wrong secret, and does not show the secret', async () => {
      const outcome = await upload(block.run, '', { secret: 'fss_wrong', cwd: await folderWith('') });
      expect(outcome.code).not.toBe(0);
      expect(outcome.stdout + outcome.stderr).toMatch(/401|invalid_client/);
      expectNoSecrets(outcome, 'fss_wrong');
      expect(kinds(outcome)).toEqual(['token']);
    });
  });
}

const [curl = expect.fail('no curl')] = blocks;
const noWrap = lacks('base64', '-w0', '/dev/null');
const strange = hostileResponses.filter(({ name }) => /^an? (file|ftp) URL$|^an option of curl/.test(name));

describe.skipIf(curl.missing !== undefined)(titleOf(curl), () => {
  test.for(strange.map((hostile) => [hostile.name, hostile] as const))(
    'sends the file nowhere for %s',
    async ([, hostile]) => {
      const service = await startHostileService(hostile);
      const cwd = await folderWith('');
      const { code } = await runOn(curl.run, '', { baseUrl: service.baseUrl, cwd });
      await service.close();
      expect(code).not.toBe(0);
      expect(await readdir(cwd)).toEqual(['orders.csv']);
      expect(service.seen.map(({ kind }) => kind)).toEqual(['token', 'sync']);
    },
  );

  test.skipIf(noWrap !== undefined)(
    noWrap ?? 'the Basic header that the page builds by hand gets a token',
    async () => {
      const [, header = ''] = /`(\$\(printf [^`]*base64 -w0\))`/.exec(section) ?? [];
      const script = `curl -sS -H "Authorization: Basic ${header}" -d grant_type=client_credentials --url "$FILE_SYNC_BASE_URL/oauth/token"`;
      const { stdout } = await runOn(['sh', '-c', script], '', { baseUrl: stack.baseUrl });
      expect(stdout).toContain('"token_type":"Bearer"');
    },
  );
});
