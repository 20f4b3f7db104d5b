import { execFile } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join, resolve } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { promisify } from 'node:util';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { lacks, offline } from '../../support/missing-tool.ts';
import { runProcess } from '../../support/run-process.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { type Fault, type SeenRequest, startFaultyProxy } from './faulty-proxy.ts';

/**
 * Runs the examples against one service, as the team of a client application would. An example without its
 * tool on this machine is skipped, with the reason in its title.
 */

const content = randomBytes(3_000_000);
const folder = await temporaryFolder();
await writeFile(join(folder, 'orders [1].csv'), content);
await writeFile(join(folder, 'empty.csv'), '');

interface Example {
  readonly name: string;
  /** Reason why it cannot run on this machine; undefined if it can. */
  readonly missing: string | undefined;
  readonly build?: readonly string[];
  /** Command, to which the path of the file to upload is appended. */
  readonly run: readonly string[];
}

const java = join(folder, 'java');
const examples: readonly Example[] = [
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

/** Runs an example on a path, in its folder, through a separate proxy. */
async function upload(
  [program = '', ...parameters]: Example['run'],
  path: string,
  { faults, secret = client.client_secret }: { readonly faults?: readonly Fault[]; readonly secret?: string },
): Promise<Outcome & { readonly code: number | null }> {
  const proxy = await startFaultyProxy(stack, faults);
  const env = {
    PATH: process.env.PATH,
    HOME: folder,
    FILE_SYNC_BASE_URL: `${proxy.baseUrl}/`,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: secret,
    FILE_SYNC_FILE_ID: await newFile(),
  };
  const ended = await runProcess(program, [...parameters, path], { env, cwd: folder, timeout: 150_000 });
  await proxy.close();
  return { ...ended, seen: proxy.seen };
}

for (const { name, missing, run } of examples) {
  const title = missing === undefined ? name : `${name} (${missing})`;
  describe.skipIf(missing !== undefined).concurrent(title, () => {
    const example = (path: string, options: Parameters<typeof upload>[2] = {}) => upload(run, path, options);

    test.for([
      ['orders [1].csv', content],
      ['empty.csv', Buffer.alloc(0)],
    ] as const)('uploads %s with its length, and without the token', async ([path, bytes]) => {
      const outcome = await example(path);

      expect(outcome).toMatchObject({ code: 0, stderr: '', stdout: 'Uploaded.\n' });
      expect(kinds(outcome)).toEqual(['token', 'sync', 'put']);
      const [put] = puts(outcome);
      expect(put?.headers['content-length']).toBe(String(bytes.length));
      expect(put?.headers).not.toHaveProperty('transfer-encoding');
      expect(put?.headers).not.toHaveProperty('authorization');
      expect((await stored(put?.path)).equals(bytes)).toBe(true);
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
