import { createHash } from 'node:crypto';
import { mkdtemp, open, readdir, rm, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, createServer } from 'node:net';
import { devNull, tmpdir } from 'node:os';
import { join } from 'node:path';
import {
  afterAll,
  afterEach,
  beforeAll,
  beforeEach,
  describe,
  expect,
  onTestFinished,
  test,
  vi,
} from 'vitest';
import { runProgram } from '../../../cli/terminal/run-program.ts';
import { createUploadProgram } from '../../../cli/upload/program.ts';
import type { StandardInput } from '../../../cli/upload/standard-input.ts';
import { type FakeService, type Reply, startFakeService, uploadId } from './support/fake-service.ts';
import { TextCollector } from './support/text-stream.ts';

const expired =
  '<Error><Code>AccessDenied</Code><Message>Request has expired</Message><X-Amz-Expires>3600</X-Amz-Expires></Error>';

let folder: string;
let service: FakeService;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-upload-test-'));
});
afterAll(() => rm(folder, { recursive: true, force: true }));
beforeEach(async () => {
  service = await startFakeService();
});
afterEach(() => service.stop());

interface Run {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly waits: readonly number[];
}

interface Surroundings {
  readonly env?: Record<string, string>;
  readonly stdin?: StandardInput;
  readonly terminal?: boolean;
}

async function upload(parameters: readonly string[], surroundings: Surroundings = {}): Promise<Run> {
  const stdout = new TextCollector({ isTTY: surroundings.terminal === true });
  const stderr = new TextCollector({ isTTY: surroundings.terminal === true });
  const waits: number[] = [];
  const env = {
    FILE_SYNC_BASE_URL: service.baseUrl,
    FILE_SYNC_CLIENT_ID: 'client:1',
    FILE_SYNC_CLIENT_SECRET: 'a secret+%',
    ...surroundings.env,
  };
  const program = createUploadProgram({
    stdin: surroundings.stdin ?? chunks(),
    stdout,
    stderr,
    env,
    sleep: async (milliseconds) => waits.push(milliseconds),
  });
  const code = await runProgram(program, { parameters, stdout, stderr, env: {} });
  return { code, stdout: stdout.text, stderr: stderr.text, waits };
}

async function* chunks(...parts: readonly Buffer[]): AsyncGenerator<Buffer> {
  yield* parts;
}

async function file(name: string, content: Buffer | string): Promise<string> {
  const path = join(folder, name);
  await writeFile(path, content);
  return path;
}

async function* failing(error: Error): AsyncGenerator<Buffer> {
  yield Buffer.from('begun');
  throw error;
}

/** A stream as Node makes it of a descriptor that it cannot read from. */
function onDescriptor(fd: number) {
  return Object.assign(chunks(), { fd });
}

function md5(content: Buffer): string {
  return createHash('md5').update(content).digest('hex');
}

function paths(): readonly string[] {
  return service.requests.map(({ method, path }) => `${method} ${path.split('?')[0]}`);
}

const wholeJob = [
  'GET /.well-known/openid-configuration',
  'POST /oauth/token',
  'POST /v0/files/orders/sync',
  `PUT /bucket/uploads/${uploadId}`,
];

describe('the whole job', () => {
  test.each([0, 1, 524_288, 1_048_576, 3_500_001])('uploads %i bytes as they are', async (size) => {
    const content = Buffer.alloc(size, 'file sync ');
    const run = await upload([await file('orders.csv', content), '--file', 'orders', '--json']);
    expect(run).toMatchObject({ code: 0, waits: [] });
    expect(paths()).toEqual(wholeJob);
    expect(service.requests[3]?.body.equals(content)).toBe(true);
    expect(JSON.parse(run.stdout)).toMatchObject({
      file_id: 'orders',
      upload_id: uploadId,
      size,
      md5: md5(content),
      etag: md5(content),
      verified: true,
      attempts: 1,
    });
  });

  test('ends with one line that says what is now where', async () => {
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run.stdout).toMatch(
      /^orders\.csv is uploaded into file "orders": 3 bytes, MD5 900150983cd24fb0d6963f7d28e17f72 \(verified\), upload 0190b8a0-[0-9a-f-]+, \d+\.\d s\.\n$/,
    );
  });

  test('sends the PUT its length and nothing that would need a signature (Contract, the upload step)', async () => {
    await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(Object.keys(service.requests[3]?.headers ?? {}).sort()).toEqual([
      'connection',
      'content-length',
      'host',
    ]);
  });

  test('form-urlencodes both parts of Basic (RFC 6749 section 2.3.1) and asks for one scope', async () => {
    await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    const token = service.requests[1];
    const basic = Buffer.from(
      token?.headers.authorization?.slice('Basic '.length) ?? '',
      'base64',
    ).toString();
    expect(basic).toBe('client%3A1:a+secret%2B%25');
    expect(token?.body.toString()).toBe('grant_type=client_credentials&scope=sync%3Acreate');
  });

  test('never shows the access token, the client secret or the signature of the URL', async () => {
    service.script.put.push({ status: 403, body: '<Error><Code>SignatureDoesNotMatch</Code></Error>' });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders'], { env: { DEBUG: '1' } });
    expect(run.code).toBe(1);
    expect(run.stdout + run.stderr).not.toMatch(/secret-token|a secret|secret-signature/);
  });

  test('draws a bar on a terminal, plain lines elsewhere, nothing with --quiet', async () => {
    const path = await file('orders.csv', Buffer.alloc(3_000_000));
    expect((await upload([path, '--file', 'orders'], { terminal: true })).stderr).toMatch(/\r.*\[#+\] 100%/);
    expect((await upload([path, '--file', 'orders'])).stderr).toMatch(/^Uploading orders\.csv: 100% .*\n$/m);
    expect((await upload([path, '--file', 'orders', '--quiet'])).stderr).toBe('');
  });

  test('reads standard input to its end first and leaves no temporary file', async () => {
    const before = await readdir(tmpdir());
    const stdin = chunks(Buffer.from('first '), Buffer.from('second'));
    const run = await upload(['-', '--file', 'orders', '--quiet'], { stdin });
    expect(run.code).toBe(0);
    expect(service.requests[3]?.body.toString()).toBe('first second');
    const left = (await readdir(tmpdir())).filter(
      (name) => name.startsWith('file-sync-upload-') && !name.includes('-test-'),
    );
    expect(left.filter((name) => !before.includes(name))).toEqual([]);
  });
});

describe('standard input', () => {
  test('that is empty is uploaded, and warned of: its producer may have failed', async () => {
    const run = await upload(['-', '--file', 'orders']);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^warning: standard input was empty, so the file gets empty content\.$/m);
    expect(service.requests[3]?.body.length).toBe(0);
    expect((await upload(['-', '--file', 'orders', '--quiet'])).stderr).toMatch(
      /^warning: .* was empty, .*\n$/,
    );
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

  test('that is a folder is refused: Node would read nothing from it', async () => {
    const opened = await open(folder, 'r');
    const run = await upload(['-', '--file', 'orders'], { stdin: onDescriptor(opened.fd) });
    await opened.close();
    expect(run).toMatchObject({
      code: 1,
      stderr: 'error: Standard input is a folder. Give the path of a file.\n',
    });
    expect(service.requests).toEqual([]);
  });

  test('that is the null device is refused: Node opens it in place of a closed one', async () => {
    const opened = await open(devNull, 'r');
    const run = await upload(['-', '--file', 'orders'], { stdin: onDescriptor(opened.fd) });
    await opened.close();
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('is closed, or the null device') });
    expect(service.requests).toEqual([]);
  });

  test('that is an empty file is uploaded', async () => {
    const opened = await open(await file('empty', ''), 'r');
    const run = await upload(['-', '--file', 'orders'], { stdin: onDescriptor(opened.fd) });
    await opened.close();
    expect(run.code).toBe(0);
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
    expect(run.stderr).toMatch(/from ".*missing": there is no such file \(ENOENT\)\.$/m);
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

  test('a command line without --file, with where to read on', async () => {
    const run = await upload([await file('orders.csv', 'abc')]);
    expect(run).toMatchObject({ code: 2, stderr: expect.stringContaining('Add --help') });
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
    ['an unencrypted base URL', { FILE_SYNC_BASE_URL: 'http://files.example.com' }, /must start with https/],
    ['a base URL that is none', { FILE_SYNC_BASE_URL: 'files.example.com' }, /is not a base URL/],
  ])('%s is a usage error', async (_, env, text) => {
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders'], { env });
    expect(run).toMatchObject({ code: 2, stderr: expect.stringMatching(text) });
    expect(service.requests).toEqual([]);
  });
});

describe('credentials', () => {
  test('a secret on the command line works and is warned of, without being repeated', async () => {
    const path = await file('orders.csv', 'abc');
    const run = await upload([path, '--file', 'orders', '--client-secret', 'typed-secret', '--quiet']);
    expect(run.code).toBe(0);
    expect(run.stderr).toMatch(/^warning: a secret on the command line/);
    expect(run.stderr).not.toContain('typed-secret');
  });

  test('a secret file wins over the environment, without its line break', async () => {
    const secret = await file('secret', 'from-file\n');
    await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--client-secret-file', secret]);
    const basic = service.requests[1]?.headers.authorization?.slice('Basic '.length) ?? '';
    expect(Buffer.from(basic, 'base64').toString()).toBe('client%3A1:from-file');
  });

  test('a line break behind the secret in the environment is none of it, as in a file', async () => {
    const env = { FILE_SYNC_CLIENT_SECRET: 'from-environment\r\n' };
    await upload([await file('orders.csv', 'abc'), '--file', 'orders'], { env });
    const basic = service.requests[1]?.headers.authorization?.slice('Basic '.length) ?? '';
    expect(Buffer.from(basic, 'base64').toString()).toBe('client%3A1:from-environment');
  });

  test('refuses a discovery document of another issuer (RFC 8414 section 3.3)', async () => {
    service.metadata.issuer = 'https://elsewhere.example';
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('https://elsewhere.example') });
    expect(paths()).toEqual(wholeJob.slice(0, 1));
  });

  test('sends no credentials to a token endpoint on another origin', async () => {
    service.metadata.token_endpoint = 'https://elsewhere.example/oauth/token';
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('not under the base URL') });
    expect(paths()).toEqual(wholeJob.slice(0, 1));
  });

  test('follows no redirect', async () => {
    service.script.sync.push({ status: 307, headers: { location: 'https://elsewhere.example/' } });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('answered 307') });
  });
});

describe('exit codes', () => {
  test.each([
    ['a wrong secret', 'token', { status: 401, body: '{"error":"invalid_client"}' }, 3],
    ['a scope that the client lacks', 'token', { status: 400, body: '{"error":"invalid_scope"}' }, 3],
    ['an insufficient token', 'sync', { status: 403, body: '{"error":"insufficient_scope"}' }, 3],
    ['an unknown file', 'sync', { status: 404, body: '{"error":"not_found"}' }, 4],
    ['a file without syncing', 'sync', { status: 409, body: '{"error":"sync_not_enabled"}' }, 5],
    [
      'a used or cancelled URL',
      'put',
      { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' },
      5,
    ],
    [
      'too much for the storage',
      'put',
      { status: 400, body: '<Error><Code>EntityTooLarge</Code></Error>' },
      6,
    ],
    ['an answer that is no JSON', 'sync', { status: 200, body: 'hello' }, 1],
  ] as const)('%s', async (_, endpoint, reply, code) => {
    service.script[endpoint].push(reply);
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--quiet']);
    expect(run).toMatchObject({ code, stdout: '', waits: [] });
    expect(run.stderr).toMatch(/^error: .+\n$/);
  });
});

describe('what passes by itself is tried again', () => {
  test('a token that has expired is replaced once', async () => {
    service.script.sync.push({ status: 401, body: '{"message":"Unauthorized"}' });
    expect(await upload([await file('orders.csv', 'abc'), '--file', 'orders'])).toMatchObject({ code: 0 });
    expect(paths().filter((path) => path === 'POST /oauth/token')).toHaveLength(2);
  });

  test('a token that is refused twice ends it', async () => {
    const refused = { status: 401, body: '{"message":"Unauthorized"}' };
    service.script.sync.push(refused, refused);
    expect(await upload([await file('orders.csv', 'abc'), '--file', 'orders'])).toMatchObject({ code: 3 });
  });

  test('an expired URL: a fresh one is asked for', async () => {
    service.script.put.push({ status: 403, body: expired });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ attempts: 2 });
    expect(run.stderr).toContain('The upload URL has expired. Trying again');
    expect(paths().slice(2)).toEqual([...wholeJob.slice(2), ...wholeJob.slice(2)]);
  });

  test('a large file is not sent to an expired URL before it is refused (RFC 9110 section 10.1.1)', async () => {
    const content = Buffer.alloc(4_000_000, 'x');
    service.script.put.push({ status: 403, body: expired });
    const run = await upload([await file('orders.csv', content), '--file', 'orders', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ attempts: 2, md5: md5(content) });
    expect(service.requests.filter(({ method }) => method === 'PUT').map(({ body }) => body.length)).toEqual([
      0, 4_000_000,
    ]);
  });

  test.each(['cut before body', 'cut after body'] as const)('a connection %s', async (cut) => {
    const content = Buffer.alloc(2_000_000, 'y');
    service.script.put.push(cut);
    const run = await upload([await file('orders.csv', content), '--file', 'orders', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ attempts: 2, md5: md5(content) });
    expect(run.stderr).toMatch(cut === 'cut after body' ? /The upload may be stored/ : /Nothing was stored/);
    // An attempt that got nowhere has no second line to tell of.
    if (cut === 'cut before body') expect(run.stderr).not.toContain('0 bytes/s');
  });

  test.each(['discovery', 'token', 'sync', 'put'] as const)(
    '429 and 5xx of %s, not sooner than asked',
    async (endpoint) => {
      service.script[endpoint].push({ status: 429, headers: { 'retry-after': '7' } }, { status: 503 });
      const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
      expect(run.code).toBe(0);
      expect(run.waits).toHaveLength(2);
      expect(run.waits[0]).toBeGreaterThanOrEqual(7000);
      expect(run.waits[1]).toBeGreaterThanOrEqual(1000);
      expect(run.waits[1]).toBeLessThanOrEqual(2000);
    },
  );

  test('a service that is not there: in words, after five attempts', async () => {
    await service.stop();
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run.code).toBe(1);
    expect(run.stderr).toMatch(
      /nothing listens at this address \(ECONNREFUSED\)\. Gave up after 5 attempts\.\n$/,
    );
    service = await startFakeService();
  });

  test('gives up after five attempts and says so', async () => {
    service.script.put.push(
      ...Array.from({ length: 5 }, () => ({ status: 503, body: '<Code>SlowDown</Code>' })),
    );
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('503 SlowDown. Gave up after 5 attempts'),
    });
    expect(run.waits).toHaveLength(4);
  });

  test('does not wait for longer than two minutes', async () => {
    service.script.sync.push({ status: 503, headers: { 'retry-after': '600' } });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, waits: [], stderr: expect.stringContaining('asks to wait 600 s') });
  });
});

describe('an attempt whose answer was lost', () => {
  const refused = { status: 412, body: '<Error><Code>PreconditionFailed</Code></Error>' };
  const unavailable = { status: 503, body: '<Error><Code>SlowDown</Code></Error>' };
  const otherId = uploadId.replace(/1$/, '2');

  function issued(baseUrl: string, id: string): Reply {
    const data = { upload_url: `${baseUrl}/bucket/uploads/${id}?X-Amz-Signature=secret-signature` };
    return { status: 200, body: JSON.stringify({ data }) };
  }

  test.each([0, 3, 2_000_000])('of %i bytes is named when the next one is refused', async (size) => {
    service.script.sync.push(issued(service.baseUrl, uploadId), issued(service.baseUrl, otherId));
    service.script.put.push('cut after body', refused);
    const path = await file('orders.csv', Buffer.alloc(size));
    const run = await upload([path, '--file', 'orders', '--quiet']);
    expect(run.code).toBe(5);
    expect(run.stderr).toContain(
      `Upload ${uploadId} was sent completely but its answer was lost: it may be stored`,
    );
    expect(run.stderr).not.toMatch(/Nothing was stored|0002/);
  });

  test.each(['put', 'sync'] as const)('is named when it is given up after 5xx of %s', async (endpoint) => {
    service.script.put.push('cut after body');
    service.script.sync.push(issued(service.baseUrl, uploadId));
    service.script[endpoint].push(...Array.from({ length: 5 }, () => unavailable));
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--quiet']);
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('Gave up after 5 attempts.');
    expect(run.stderr).toContain(`Upload ${uploadId} was sent completely`);
  });

  test('is named with every other, the last one included', async () => {
    service.script.sync.push(
      ...[1, 2, 3, 4, 5].map((n) => issued(service.baseUrl, `${uploadId.slice(0, -1)}${n}`)),
    );
    service.script.put.push('cut after body', unavailable, 'cut before body', unavailable, 'cut after body');
    const run = await upload([
      await file('orders.csv', Buffer.alloc(2_000_000)),
      '--file',
      'orders',
      '--quiet',
    ]);
    expect(run.stderr).toMatch(
      /Uploads 0190b8a0-\S+1, 0190b8a0-\S+5 were sent completely but their answers were lost/,
    );
  });

  test('counts as lost, too, where what came back is no HTTP', async () => {
    service.script.sync.push(issued(await babbling(), uploadId));
    service.script.put.push(refused);
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--quiet']);
    expect(run.stderr).toContain(`Upload ${uploadId} was sent completely`);
  });

  test.each([0, 3])('is none where nobody listened (%i bytes)', async (size) => {
    service.script.sync.push(...Array.from({ length: 5 }, () => issued('http://127.0.0.1:9', uploadId)));
    const run = await upload([await file('orders.csv', Buffer.alloc(size)), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, stderr: expect.stringContaining('Gave up after 5 attempts') });
    expect(run.stderr).not.toMatch(/was sent completely|may be stored/);
  });

  test('is none of a success, and none where every attempt was answered', async () => {
    service.script.put.push('cut after body');
    const path = await file('orders.csv', 'abc');
    expect(await upload([path, '--file', 'orders', '--quiet'])).toMatchObject({ code: 0, stderr: '' });
    service.script.put.push(unavailable, refused);
    expect((await upload([path, '--file', 'orders', '--quiet'])).stderr).not.toContain('sent completely');
  });
});

/** A server that takes a request and answers in no language. */
async function babbling(): Promise<string> {
  const server = createServer((socket) => socket.once('data', () => socket.end('hello\r\n\r\n')));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
}

describe('integrity', () => {
  test('an ETag that is not the MD5 of what was sent fails', async () => {
    service.script.put.push({ status: 200, headers: { etag: `"${'0'.repeat(32)}"` } });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders']);
    expect(run).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('damaged in transit') });
  });

  test('an ETag under a key of KMS is no MD5 and proves nothing', async () => {
    const headers = { etag: `"${'0'.repeat(32)}"`, 'x-amz-server-side-encryption': 'aws:kms' };
    service.script.put.push({ status: 200, headers });
    const run = await upload([await file('orders.csv', 'abc'), '--file', 'orders', '--json']);
    expect(JSON.parse(run.stdout)).toMatchObject({ verified: false });
  });

  test('a file that changes while it is read breaks the upload off', async () => {
    const path = await file('growing', Buffer.alloc(100_000));
    const writer = await open(path, 'a');
    // The change falls between opening the file and its last bytes: while the first request is retried.
    service.script.discovery.push({ status: 503 });
    const env = {
      FILE_SYNC_BASE_URL: service.baseUrl,
      FILE_SYNC_CLIENT_ID: 'a',
      FILE_SYNC_CLIENT_SECRET: 'b',
    };
    const stdout = new TextCollector();
    const stderr = new TextCollector();
    const program = createUploadProgram({
      stdin: chunks(),
      stdout,
      stderr,
      env,
      sleep: () => writer.appendFile('more'),
    });
    const code = await runProgram(program, {
      parameters: [path, '--file', 'orders'],
      stdout,
      stderr,
      env: {},
    });
    await writer.close();
    expect(code).toBe(1);
    expect(stderr.text).toContain('was changed while it was read');
    expect(service.requests.at(-1)).not.toMatchObject({ body: expect.objectContaining({ length: 100_000 }) });
  });
});
