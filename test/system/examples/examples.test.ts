import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { GetObjectCommand, type S3Client } from '@aws-sdk/client-s3';
import { setFaults } from 'cloud-assembly-emulator/faults';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { maximumUploadBytes } from '../../../contract/limits.ts';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../tools/operator/deployment/deployment.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { offline } from '../../support/missing-tool.ts';
import { recordProduced } from '../../support/produced-secrets.ts';
import { type Faults, type FaultyProxy, type Kind, startFaultyProxy } from './faulty-proxy.ts';
import { allExamples, type Example } from './tools.ts';

/**
 * The examples as a client application's team runs them, against one local run. Those whose tool is not on this machine
 * are skipped, and their title says so.
 */

const organisationId = 'examples';
const content = randomBytes(3_000_000);

let run: LocalRun;
let deployment: Deployment;
let storage: S3Client;
let folder: string;
let client: { readonly client_id: string; readonly client_secret: string };
let fileId: string;
let closedFileId: string;

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-examples-test-'));
  await Promise.all([
    writeFile(join(folder, 'orders [1].csv'), content),
    writeFile(join(folder, 'empty.csv'), ''),
    writeFile(join(folder, 'large.csv'), '').then(() =>
      truncate(join(folder, 'large.csv'), maximumUploadBytes + 1),
    ),
    startLocalRun().then((started) => {
      run = started;
    }),
    ...allExamples.map(({ missing, build }) =>
      missing === undefined ? compile(build?.(folder)) : undefined,
    ),
  ]);
  deployment = await localDeployment(run.stateDirectory);
  storage = await s3Client(deployment);
  const [made, file, closedFile] = await Promise.all([
    createClient(deployment, { organisationId, name: 'Examples', scopes: ['sync:create'] }),
    createFile(deployment, { organisationId, name: 'orders.csv', syncEnabled: true }),
    createFile(deployment, { organisationId, name: 'closed.csv', syncEnabled: false }),
  ]);
  recordProduced('client secret', made.client_secret);
  client = made;
  fileId = file.file_id;
  closedFileId = closedFile.file_id;
});

afterAll(async () => {
  storage?.destroy();
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

async function compile(build: { command: string; parameters: readonly string[] } | undefined): Promise<void> {
  if (build === undefined) {
    return;
  }
  await promisify(execFile)(build.command, build.parameters, { env: { ...process.env, ...offline } });
}

interface Outcome {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
  readonly seen: FaultyProxy['seen'];
}

/** Runs a program on a path, for a file, through a proxy of its own. */
async function start(
  [command, ...first]: readonly [string, ...string[]],
  [path = '', intoFile = '']: readonly string[],
  { faults, secret }: { readonly faults?: Faults; readonly secret?: string } = {},
): Promise<Outcome> {
  const proxy = await startFaultyProxy(run, faults);
  const env = {
    PATH: process.env.PATH,
    HOME: process.env.HOME,
    FILE_SYNC_BASE_URL: proxy.baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: secret ?? client.client_secret,
    FILE_SYNC_FILE_ID: intoFile,
  };
  try {
    const ended = await new Promise<Omit<Outcome, 'seen'>>((resolve) => {
      const child = execFile(command, [...first, path], { env, cwd: folder }, (_, stdout, stderr) =>
        resolve({ code: child.exitCode ?? -1, stdout, stderr }),
      );
    });
    return { ...ended, seen: proxy.seen };
  } finally {
    await proxy.close();
  }
}

const refusedPut = { status: 412, headers: { 'x-amz-request-id': '4442587FB7D0A2F9' } };

const kinds = ({ seen }: Outcome): readonly Kind[] => seen.map(({ kind }) => kind);
const puts = ({ seen }: Outcome) => seen.filter(({ kind }) => kind === 'put');

/** What an upload left in the bucket. Its URL names bucket and key. */
async function stored(path: string | undefined): Promise<Buffer> {
  const [, bucket, ...key] = decodeURIComponent(path ?? '').split('/');
  const answer = await storage.send(new GetObjectCommand({ Bucket: bucket ?? '', Key: key.join('/') }));
  return buffer(answer.Body as NodeJS.ReadableStream);
}

/** The secret, the token and the signature of an upload URL are shown nowhere. */
function expectNoSecrets({ stdout, stderr }: Outcome, secret = client.client_secret): void {
  const text = stdout + stderr;
  expect(text).not.toContain(secret);
  expect(text).not.toMatch(/X-Amz-|eyJ|Bearer|Basic/);
}

/** A file of the test's own: a later upload into the same one replaces the object of the earlier one by an empty one. */
async function makeFile(): Promise<string> {
  const made = await createFile(deployment, { organisationId, name: 'orders.csv', syncEnabled: true });
  return made.file_id;
}

async function expectUploaded(
  command: Parameters<typeof start>[0],
  path: string,
  bytes: Buffer,
): Promise<void> {
  const ownFileId = await makeFile();
  const outcome = await start(command, [path, ownFileId]);
  expect(outcome).toMatchObject({ code: 0, stderr: '' });
  expect(outcome.stdout).toBe(`${path} is uploaded into file ${ownFileId}: ${bytes.length} bytes.\n`);
  expect(kinds(outcome)).toEqual(['token', 'sync', 'put']);
  const [put] = puts(outcome);
  expect(put?.headers['content-length']).toBe(String(bytes.length));
  expect(put?.headers).not.toHaveProperty('transfer-encoding');
  expect(put?.headers).not.toHaveProperty('authorization');
  expect((await stored(put?.path)).equals(bytes)).toBe(true);
}

for (const { name, missing, run: command } of allExamples) {
  const title = missing === undefined ? name : `${name} (${missing})`;
  describe.skipIf(missing !== undefined).concurrent(title, () => {
    const example = (parameters: readonly string[], options: Parameters<typeof start>[2] = {}) =>
      start(command(folder), parameters, options);

    test('uploads a file with its length, and without the token', async () => {
      await expectUploaded(command(folder), 'orders [1].csv', content);
    });

    test('uploads an empty file', async () => {
      await expectUploaded(command(folder), 'empty.csv', Buffer.alloc(0));
    });

    test('shows the words of the API about a wrong secret, which it sent form-urlencoded', async () => {
      const secret = 'wrong+ secret:%&/=';
      const outcome = await example(['orders [1].csv', fileId], { secret });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toMatch(/^error: .* 401: invalid_client \(The client id or client secret is/);
      expect(outcome.stderr).toContain('FILE_SYNC_CLIENT_SECRET');
      expectNoSecrets(outcome, secret);
      expect(kinds(outcome)).toEqual(['token']);
      expect(credentialsOf(outcome)).toEqual([client.client_id, secret]);
    });

    test('shows the words of the API about a file that it refuses', async () => {
      const [unknown, closed] = await Promise.all([
        example(['orders [1].csv', 'un/known']),
        example(['orders [1].csv', closedFileId]),
      ]);
      expect(unknown.stderr).toMatch(
        /^error: .* file un\/known was refused with 404: not_found \(There is no /,
      );
      expect(closed.stderr).toMatch(/^error: .* 409: sync_not_enabled \(Syncing is not .* Ask the operator/);
      for (const outcome of [unknown, closed]) {
        expect(outcome).toMatchObject({ code: 1, stdout: '' });
        expectNoSecrets(outcome);
        expect(kinds(outcome)).toEqual(['token', 'sync']);
      }
    });

    const [ofService, ofStorage] = [
      'Quote request id \\S{15}= of the service to the operator\\.',
      'Quote request id 4442587FB7D0A2F9 of the storage to the operator\\.',
    ];

    test.for([
      ['a wrong secret', { secret: 'wrong' }, ofService],
      ['a PUT', { faults: { put: [refusedPut] } }, `${ofService} ${ofStorage}`],
    ] as const)('quotes the request ids of %s that is refused (1.5)', async ([, options, quoted]) => {
      const { stderr } = await example(['orders [1].csv', fileId], options);
      expect(stderr).toMatch(new RegExp(`^error: .* ${quoted}\n$`));
    });

    test('quotes the request id of each refusal that it tries again after', async () => {
      const faults = { sync: [{ status: 503, headers: { 'apigw-requestid': 'first=' } }] };
      const { stderr } = await example(['orders [1].csv', await makeFile()], { faults });
      expect(stderr).toMatch(/s\. Quote request id first= of the service to the operator\.\n$/);
    });

    test.for([
      ['a control character', '\u009b31m'],
      ['65 characters', 'x'.repeat(65)],
    ] as const)('shows no request id of %s', async ([, id]) => {
      const faults = { token: [{ status: 403, headers: { 'apigw-requestid': id } }] };
      const { stderr } = await example(['orders [1].csv', fileId], { faults });
      expect(stderr).toMatch(/^error: .* refused with 403: .*\n$/);
      expect(stderr).not.toContain('Quote');
    });

    test('sends nothing for missing arguments, a path where no file is, or more than 5 GiB', async () => {
      const [usage, path, large] = await Promise.all([
        example(['orders [1].csv']),
        example([folder, fileId]),
        example(['large.csv', fileId]),
      ]);
      expect(usage).toMatchObject({ code: 2, stdout: '', seen: [] });
      expect(usage.stderr).toMatch(/\nusage: .*PATH\n/);
      expect(usage.stderr).toContain('FILE_SYNC_CLIENT_SECRET');
      expect(path).toMatchObject({ code: 1, stdout: '', seen: [] });
      expect(path.stderr).toContain(`error: ${folder} is not a file`);
      expect(large).toMatchObject({ code: 1, stdout: '', seen: [] });
      expect(large.stderr).toContain('large.csv has 5368709121 bytes.');
    });

    test('tries again after 503 and 429, each time with a new upload URL', async () => {
      const faults = {
        token: [{ status: 503 }],
        sync: [{ status: 429 }],
        put: [{ status: 503 }],
      };
      const outcome = await example(['orders [1].csv', await makeFile()], { faults });
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.stderr.match(/answered (503|429)\. Trying again in /g)).toHaveLength(3);
      expect(kinds(outcome)).toEqual(['token', 'token', 'sync', 'sync', 'put', 'sync', 'put']);
      const [first, second] = puts(outcome);
      expect(second?.path).not.toBe(first?.path);
      expect((await stored(second?.path)).equals(content)).toBe(true);
      expectNoSecrets(outcome);
    });

    test('sends the file again when the answer was lost, and gets a new token after 401', async () => {
      const faults: Faults = { put: ['lost'], sync: ['pass', { status: 401 }] };
      const outcome = await example(['orders [1].csv', await makeFile()], { faults });
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.stderr).toMatch(
        /The connection to the storage broke.* may be stored all the same\. Trying/,
      );
      expect(kinds(outcome)).toEqual(['token', 'sync', 'put', 'sync', 'token', 'sync', 'put']);
      const [first, second] = puts(outcome);
      expect(second?.path).not.toBe(first?.path);
      expect((await stored(second?.path)).equals(content)).toBe(true);
      expectNoSecrets(outcome);
    });

    test('does not try again what cannot succeed: 401 for a new token, 412, a wait of many minutes', async () => {
      const [unauthorized, used, later] = await Promise.all([
        example(['orders [1].csv', fileId], { faults: { sync: [{ status: 401 }] } }),
        example(['orders [1].csv', fileId], { faults: { put: [{ status: 412 }] } }),
        example(['orders [1].csv', fileId], {
          faults: { sync: [{ status: 429, headers: { 'retry-after': '900' } }] },
        }),
      ]);
      expect(unauthorized).toMatchObject({ code: 1, stderr: expect.stringContaining('401: made up 401') });
      expect(used).toMatchObject({ code: 1, stderr: expect.stringContaining('used already') });
      expect(later).toMatchObject({ code: 1, stderr: expect.stringContaining('asks to wait 900 seconds') });
      expect([unauthorized, used, later].map((outcome) => kinds(outcome))).toEqual([
        ['token', 'sync'],
        ['token', 'sync', 'put'],
        ['token', 'sync'],
      ]);
    });

    test('follows no redirect', async () => {
      const outcomes = await Promise.all([
        example(['orders [1].csv', fileId], { faults: { token: ['redirect'] } }),
        example(['orders [1].csv', fileId], { faults: { sync: ['redirect'] } }),
        example(['orders [1].csv', fileId], { faults: { put: ['redirect'] } }),
      ]);
      for (const outcome of outcomes) {
        expect(outcome).toMatchObject({
          code: 1,
          stdout: '',
          stderr: expect.stringContaining(' 307. This is a redirect'),
        });
        expect(kinds(outcome)).not.toContain('other');
      }
    });
  });
}

const uploadCommand: Example = {
  name: 'the upload command',
  missing: undefined,
  run: () => [process.execPath, '--import', import.meta.resolve('tsx'), resolve('tools/upload/main.ts')],
};

// One after another, when no other test runs: each fault is for the next PUT.
test.for([...allExamples.filter(({ missing }) => missing === undefined), uploadCommand])(
  '$name tries again with a new upload URL after a conflict in S3',
  async ({ run: command }) => {
    const parameters = ['orders [1].csv', await makeFile()];
    setFaults(run.stateDirectory, { s3: [{ operation: 'PutObject', fault: 'conflict', calls: 1 }] });
    const outcome = await start(command(folder), parameters);
    expect(outcome).toMatchObject({ code: 0, stderr: expect.stringMatching(/409.*Trying again/s) });
    expect(kinds(outcome)).toEqual(['token', 'sync', 'put', 'sync', 'put']);
    expect((await stored(puts(outcome)[1]?.path)).equals(content)).toBe(true);
  },
);

/** ID and secret of the token request, as the service decodes them (RFC 6749 section 2.3.1). */
function credentialsOf({ seen }: Outcome): readonly string[] {
  const [, encoded = ''] = seen[0]?.headers.authorization?.split(' ') ?? [];
  const parts = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return parts.map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
}
