import { randomBytes } from 'node:crypto';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { createApiUser } from '../../support/api-user.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { type Faults, type SeenRequest, startFaultyProxy } from './faulty-proxy.ts';
import { allExamples, buildExamples, type Example, runExample } from './tools.ts';

/**
 * Runs the examples against one service, as the team of a client application would. An example without its
 * tool on this machine is skipped, with the reason in its title.
 */

const content = randomBytes(3_000_000);
const folder = await temporaryFolder();
await writeFile(join(folder, 'orders [1].csv'), content);
await writeFile(join(folder, 'empty.csv'), '');
await buildExamples(folder);

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

/** Runs a program on a path, for a file, through a separate proxy. */
async function start(
  command: ReturnType<Example['run']>,
  path: string,
  { faults, secret = client.client_secret }: { readonly faults?: Faults; readonly secret?: string } = {},
) {
  const proxy = await startFaultyProxy(stack, faults);
  try {
    const ended = await runExample(command, path, folder, {
      BASE_URL: `${proxy.baseUrl}/`,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: secret,
      FILE_ID: await newFile(),
    });
    return { ...ended, seen: proxy.seen };
  } finally {
    await proxy.close();
  }
}

for (const { name, missing, run: command } of allExamples) {
  const title = missing === undefined ? name : `${name} (${missing})`;
  describe.skipIf(missing !== undefined).concurrent(title, () => {
    const example = (path: string, options?: Parameters<typeof start>[2]) =>
      start(command(folder), path, options);

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
      [412, ['token', 'sync', 'put']],
      [501, ['token', 'sync', 'put']],
      [503, ['token', 'sync', 'put', 'token', 'sync', 'put']],
    ] as const)('prints the error of the storage, and stops or retries: %s', async ([status, requests]) => {
      const put = [{ status }, { status }];
      const outcome = await example('orders [1].csv', { faults: { put } });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expect(outcome.stderr).toContain(`${status}: {"message":"made up ${status}"}`);
      expectNoSecrets(outcome);
      expect(kinds(outcome)).toEqual(requests);
    });

    test('shows no upload URL when both connections broke', async () => {
      const outcome = await example('empty.csv', { faults: { put: ['lost', 'lost'] } });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      expectNoSecrets(outcome);
    });

    test('retries once with a new URL when the response was lost', async () => {
      const outcome = await example('orders [1].csv', { faults: { put: ['lost'] } });
      expect(outcome).toMatchObject({ code: 0, stdout: 'Uploaded.\n' });
      const [first, second] = puts(outcome);
      expect(second?.path).not.toBe(first?.path);
      expect((await stored(second?.path)).equals(content)).toBe(true);
      expectNoSecrets(outcome);
    });
  });
}
