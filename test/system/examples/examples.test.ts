import { randomBytes } from 'node:crypto';
import { truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { maxUploadBytes } from '../../../contract/limits.ts';
import { s3Client } from '../../../tools/operator/deployment/aws-clients.ts';
import { setSyncEnabled } from '../../../tools/operator/files/file.ts';
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
await writeFile(join(folder, 'large.csv'), '');
await truncate(join(folder, 'large.csv'), maxUploadBytes + 1);
await buildExamples(folder);

const stack = await useRunningStack();
const storage = await s3Client(stack.deployment);
const { client, newFile } = await createApiUser(stack);
const fileId = await newFile();
const closedFileId = await newFile();
await setSyncEnabled(stack.deployment, closedFileId, false);

interface Outcome {
  readonly stdout: string;
  readonly stderr: string;
  readonly seen: readonly SeenRequest[];
}

const conflict = '<Error><Code>ConditionalRequestConflict</Code></Error>';
const rejectedPut = { status: 412, headers: { 'x-amz-request-id': '4442587FB7D0A2F9' } };

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
  expect(text).not.toMatch(/X-Amz-|eyJ|Bearer|Basic/);
}

/** Runs a program on a path, for a file, through a separate proxy. */
async function start(
  command: ReturnType<Example['run']>,
  [path, intoFile = '']: readonly [string, string?],
  { faults, secret = client.client_secret }: { readonly faults?: Faults; readonly secret?: string } = {},
) {
  const proxy = await startFaultyProxy(stack, faults);
  try {
    const ended = await runExample(command, path, folder, {
      BASE_URL: proxy.baseUrl,
      CLIENT_ID: client.client_id,
      CLIENT_SECRET: secret,
      FILE_ID: intoFile,
    });
    return { ...ended, seen: proxy.seen };
  } finally {
    await proxy.close();
  }
}

for (const { name, missing, run: command } of allExamples) {
  const title = missing === undefined ? name : `${name} (${missing})`;
  describe.skipIf(missing !== undefined).concurrent(title, () => {
    const example = (parameters: Parameters<typeof start>[1], options?: Parameters<typeof start>[2]) =>
      start(command(folder), parameters, options);

    test.for([
      ['orders [1].csv', content],
      ['empty.csv', Buffer.alloc(0)],
    ] as const)('uploads %s with its length, and without the token', async ([path, bytes]) => {
      const ownFileId = await newFile();

      const outcome = await example([path, ownFileId]);

      expect(outcome).toMatchObject({ code: 0, stderr: '' });
      expect(outcome.stdout).toBe(`${path} is uploaded into file ${ownFileId}: ${bytes.length} bytes.\n`);
      expect(kinds(outcome)).toEqual(['token', 'sync', 'put']);
      const [put] = puts(outcome);
      expect(put?.headers['content-length']).toBe(String(bytes.length));
      expect(put?.headers).not.toHaveProperty('transfer-encoding');
      expect(put?.headers).not.toHaveProperty('authorization');
      expect((await stored(put?.path)).equals(bytes)).toBe(true);
    });

    const [ofService, ofStorage] = [
      'Quote request id \\S{15}= of the service to the operator\\.',
      'Quote request id 4442587FB7D0A2F9 of the storage to the operator\\.',
    ];

    // It sent the secret form-urlencoded.
    test('shows the words of the API about a wrong secret', async () => {
      const secret = 'wrong+ secret:%&/=';
      const outcome = await example(['orders [1].csv', fileId], { secret });
      expect(outcome).toMatchObject({ code: 1, stdout: '' });
      const words = '401: invalid_client \\(The client id or client secret is';
      expect(outcome.stderr).toMatch(new RegExp(`^error: .* ${words}.* ${ofService}\n$`));
      expect(outcome.stderr).toContain('FILE_SYNC_CLIENT_SECRET');
      expectNoSecrets(outcome, secret);
      expect(kinds(outcome)).toEqual(['token']);
      expect(credentialsOf(outcome)).toEqual([client.client_id, secret]);
    });

    test.for([
      ['un/known', /^error: .* file un\/known was rejected with 404: not_found \(There is no /],
      [closedFileId, /^error: .* 409: sync_not_enabled \(Syncing is not .* Ask the operator/],
    ] as const)('shows why the API rejects the file %s', async ([id, words]) => {
      const outcome = await example(['orders [1].csv', id]);
      expect(outcome).toMatchObject({ code: 1, stdout: '', stderr: expect.stringMatching(words) });
      expectNoSecrets(outcome);
      expect(kinds(outcome)).toEqual(['token', 'sync']);
    });

    test('quotes the request ids of a PUT that is rejected (1.5)', async () => {
      const { stderr } = await example(['orders [1].csv', fileId], { faults: { put: [rejectedPut] } });
      expect(stderr).toMatch(new RegExp(`^error: .* ${ofService} ${ofStorage}\n$`));
    });

    test.for([
      ['a control character', '\u009b31m'],
      ['65 characters', 'x'.repeat(65)],
    ] as const)('shows no request id of %s', async ([, id]) => {
      const faults = { token: [{ status: 403, headers: { 'apigw-requestid': id } }] };
      const { stderr } = await example(['orders [1].csv', fileId], { faults });
      expect(stderr).toMatch(/^error: .* rejected with 403: .*\n$/);
      expect(stderr).not.toContain('Quote');
    });

    test.for([
      [
        'missing arguments',
        ['orders [1].csv'],
        2,
        /^(?=[\s\S]*FILE_SYNC_CLIENT_SECRET)[\s\S]*\nusage: .*PATH\n/,
      ],
      ['a path where no file is', [folder, fileId], 1, /error: \/\S+ is not a file/],
      ['more than 5 GiB', ['large.csv', fileId], 1, /large\.csv has 5368709121 bytes\./],
    ] as const)('sends nothing for %s', async ([, parameters, code, words]) => {
      const outcome = await example(parameters);
      expect(outcome).toMatchObject({ code, stdout: '', seen: [], stderr: expect.stringMatching(words) });
    });

    test('tries again after 503, 429 and 409, each time with a new upload URL', async () => {
      const faults = {
        token: [{ status: 503 }],
        sync: [{ status: 429, headers: { 'apigw-requestid': 'first=' } }],
        put: [{ status: 503 }, { status: 409, body: conflict }],
      };
      const outcome = await example(['orders [1].csv', await newFile()], { faults });
      expect(outcome).toMatchObject({ code: 0 });
      expect(outcome.stderr.match(/(503|429|409)\b.*Trying again in /g)).toHaveLength(4);
      expect(outcome.stderr).toMatch(/429.* s\. Quote request id first= of the service to the operator\.\n/);
      expect(kinds(outcome)).toEqual(['token', 'token', 'sync', ...Array(3).fill(['sync', 'put']).flat()]);
      const paths = puts(outcome).map(({ path }) => path);
      expect(new Set(paths).size).toBe(3);
      expect((await stored(paths[2])).equals(content)).toBe(true);
      expectNoSecrets(outcome);
    });

    // Its token has expired by then.
    test('sends the file again when the response was lost', async () => {
      const faults: Faults = { put: ['lost'], sync: ['pass', { status: 401 }] };
      const outcome = await example(['orders [1].csv', await newFile()], { faults });
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

    test.for([
      ['401 for a new token', { sync: [{ status: 401 }] }, '401: made up 401', ['token', 'sync']],
      ['501', { sync: [{ status: 501 }] }, '501: made up 501', ['token', 'sync']],
      ['412', { put: [{ status: 412 }] }, 'used already', ['token', 'sync', 'put']],
    ] as const)('does not try again after %s', async ([, faults, words, requests]) => {
      const outcome = await example(['orders [1].csv', fileId], { faults });
      expect(outcome).toMatchObject({ code: 1, stderr: expect.stringContaining(words) });
      expect(kinds(outcome)).toEqual(requests);
    });
  });
}

/** Returns ID and secret of the token request, as decoded by the service (RFC 6749 section 2.3.1). */
function credentialsOf({ seen }: Outcome): readonly string[] {
  const [, encoded = ''] = seen[0]?.headers.authorization?.split(' ') ?? [];
  const parts = Buffer.from(encoded, 'base64').toString('utf8').split(':');
  return parts.map((part) => decodeURIComponent(part.replaceAll('+', ' ')));
}
