import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { closeSync, existsSync, openSync } from 'node:fs';
import { mkdtemp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { commandFromSource, commandOf } from '../../support/programs.ts';
import { admin as runAdmin } from '../../support/run-admin.ts';

/** The command lines as processes, against the local run: what a person or a script would type. */

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

interface Finished {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** What Node.js takes to run a tool. */
type Tool = readonly string[];

interface Tools {
  readonly admin: Tool;
  readonly upload: Tool;
}

const fromSource: Tools = {
  admin: commandFromSource('tools/admin/main.ts'),
  upload: commandFromSource('tools/upload/main.ts'),
};

function start(
  tool: Tool,
  parameters: readonly string[],
  env: Record<string, string> = {},
  stdout: 'pipe' | number = 'pipe',
): ChildProcess {
  return spawn(process.execPath, [...tool, ...parameters], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
    stdio: ['pipe', stdout, 'pipe'],
  });
}

function finished(child: ChildProcess): Promise<Finished> {
  const text = { stdout: '', stderr: '' };
  child.stdout?.on('data', (chunk: Buffer) => {
    text.stdout += chunk.toString('utf8');
  });
  child.stderr?.on('data', (chunk: Buffer) => {
    text.stderr += chunk.toString('utf8');
  });
  return new Promise((resolve) => child.once('close', (code) => resolve({ code, ...text })));
}

/** The same tools, made to start sooner. */
let tools: Tools;
let run: LocalRun;
let folder: string;
let client: { readonly client_id: string; readonly client_secret: string };
let environment: Record<string, string>;

/** As a process of its own. */
const admin = (parameters: readonly string[], tool = tools.admin) =>
  finished(start(tool, ['--local', '--state', run.stateDirectory, ...parameters]));

/** In this process, which takes a tenth of the time: for what a test needs and what has been run as a process. */
async function adminHere<Answer>(...parameters: readonly string[]): Promise<Answer> {
  const deployment = await localDeployment(run.stateDirectory);
  return jsonOf(await runAdmin(deployment, ['--local', ...parameters, '--json']));
}

async function adminJson<Answer>(parameters: readonly string[], tool?: Tool): Promise<Answer> {
  return jsonOf(await admin([...parameters, '--json'], tool));
}

function jsonOf<Answer>({ code, stdout, stderr }: Pick<Finished, 'code' | 'stdout' | 'stderr'>): Answer {
  expect({ code, stderr }).toMatchObject({ code: 0 });
  return JSON.parse(stdout) as Answer;
}

const upload = (parameters: readonly string[], tool = tools.upload) =>
  finished(start(tool, parameters, environment));

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-commands-test-'));
  tools = { admin: await commandOf('tools/admin/main.ts'), upload: await commandOf('tools/upload/main.ts') };
  run = await startLocalRun();
  const scopes = ['--scope', 'sync:create', '--scope', 'volume:read'];
  const [made] = await Promise.all([
    adminHere<typeof client>('client', 'create', '--organisation', 'acme', '--name', 'Export', ...scopes),
    adminHere(
      'file',
      'create',
      '--organisation',
      'acme',
      '--name',
      'orders.csv',
      '--id',
      'orders',
      '--sync-enabled',
    ),
  ]);
  client = made;
  environment = {
    FILE_SYNC_BASE_URL: run.baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: client.client_secret,
  };
});

afterAll(async () => {
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

/** A token as curl would get one. */
function requestToken(clientSecret = client.client_secret): Promise<Response> {
  const basic = Buffer.from(`${client.client_id}:${clientSecret}`).toString('base64');
  return fetch(`${run.baseUrl}/oauth/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${basic}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
}

async function issueUploadUrl(): Promise<{ readonly url: string; readonly uploadId: string }> {
  const { access_token } = (await (await requestToken()).json()) as { access_token: string };
  const headers = { authorization: `Bearer ${access_token}` };
  const answer = await fetch(`${run.baseUrl}/v0/files/orders/sync`, { method: 'POST', headers });
  const { data } = (await answer.json()) as { data: { upload_url: string } };
  return { url: data.upload_url, uploadId: new URL(data.upload_url).pathname.split('/').at(-1) ?? '' };
}

/** What the local S3 has received of bodies that are not complete. */
async function incoming(): Promise<readonly string[]> {
  const names = await readdir(run.stateDirectory, { recursive: true });
  return names.filter((name) => /(^|\/)incoming\/./.test(name));
}

/** Without the tombstones that an earlier upload may still bring about, which are empty. */
async function arriving(): Promise<readonly string[]> {
  const sizeOf = (name: string) => stat(join(run.stateDirectory, name)).catch(() => undefined);
  const found = await Promise.all(
    (await incoming()).map(async (name) => ({ name, size: (await sizeOf(name))?.size ?? 0 })),
  );
  return found.filter(({ size }) => size > 0).map(({ name }) => name);
}

describe('from the upload command to a download', () => {
  test('what was uploaded is recorded, watched, shown and downloaded, byte by byte', async () => {
    const content = randomBytes(3_000_000);
    const path = join(folder, 'orders.csv');
    await writeFile(path, content);
    const uploaded = await upload([path, '--file', 'orders', '--json'], fromSource.upload);
    expect(uploaded).toMatchObject({ code: 0 });
    const result = JSON.parse(uploaded.stdout) as Record<'upload_id' | 'md5' | 'checksum_crc64nvme', string>;
    const { checksum_crc64nvme } = result;
    expect(result).toMatchObject({
      size: content.length,
      md5: createHash('md5').update(content).digest('hex'),
      verified: true,
      checksum_verified: true,
      attempts: 1,
    });

    const watched = await adminJson(['upload', 'show', result.upload_id, '--watch'], fromSource.admin);
    expect(watched).toMatchObject({
      state: 'completed',
      size: content.length,
      etag: result.md5,
      checksum_crc64nvme,
    });

    const output = join(folder, 'downloaded.csv');
    const [shown, downloaded] = await Promise.all([
      adminHere('file', 'show', 'orders'),
      adminJson(['file', 'download', 'orders', '--output', output]),
    ]);
    expect(shown).toMatchObject({
      content: {
        upload_id: result.upload_id,
        size: content.length,
        etag: result.md5,
        checksum_crc64nvme,
      },
    });
    expect(downloaded).toMatchObject({ etag: result.md5, checksum_crc64nvme });
    expect((await readFile(output)).equals(content)).toBe(true);
  });

  test('standard input is uploaded through -', async () => {
    const child = start(tools.upload, ['-', '--file', 'orders', '--quiet'], environment);
    const end = finished(child);
    child.stdin?.end('from a pipe');
    const { code, stdout, stderr } = await end;
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^standard input is uploaded into file "orders": 11 bytes, .*\n$/);
  });

  test('Ctrl-C breaks an upload off: nothing is stored, and the upload stays issued', async () => {
    interface Uploads {
      readonly data: readonly { readonly upload_id: string; readonly state: string }[];
    }
    const path = join(folder, 'large');
    await writeFile(path, '');
    await truncate(path, 5_000_000_000);
    const before = await adminHere<Uploads>('upload', 'list', '--file', 'orders');
    const child = start(tools.upload, [path, '--file', 'orders'], environment);
    const end = finished(child);
    const signal = new Promise((resolve) => child.once('exit', (_, by) => resolve(by)));
    await expect.poll(arriving, { timeout: 20_000 }).toHaveLength(1);
    child.kill('SIGINT');
    expect(await signal).toBe('SIGINT');
    await expect.poll(incoming, { timeout: 20_000 }).toEqual([]);
    const after = await adminHere<Uploads>('upload', 'list', '--file', 'orders');
    expect(after.data.length).toBe(before.data.length + 1);
    expect(after.data[0]?.state).toBe('issued');
    await end;
  });

  test.runIf(existsSync('/dev/full'))('a result that cannot be written is a failure, in words', async () => {
    const path = join(folder, 'small');
    await writeFile(path, 'abc');
    const full = openSync('/dev/full', 'w');
    const ended = await finished(
      start(tools.upload, [path, '--file', 'orders', '--quiet'], environment, full),
    );
    closeSync(full);
    expect(ended).toMatchObject({
      code: 1,
      stderr: 'error: The result cannot be written: no space is left (ENOSPC).\n',
    });
  });

  test('exit codes tell a script what was wrong', async () => {
    const path = join(folder, 'small');
    await writeFile(path, 'abc');
    const [unknown, wrongSecret] = await Promise.all([
      upload([path, '--file', 'unknown', '--quiet']),
      upload([path, '--file', 'orders', '--quiet', '--client-secret', 'wrong']),
    ]);
    expect(unknown).toMatchObject({
      code: 4,
      stdout: '',
      stderr: expect.stringContaining('There is no file "unknown"'),
    });
    expect(wrongSecret).toMatchObject({ code: 3, stdout: '' });
  });
});

test('a form that was uploaded in place of a file is recorded, and told', async () => {
  const { url, uploadId } = await issueUploadUrl();
  const form = new FormData();
  form.set('file', new Blob(['a,b']), 'orders.csv');
  expect((await fetch(url, { method: 'PUT', body: form })).status).toBe(200);
  const shown = await admin(['upload', 'show', uploadId, '--watch', '--json']);
  expect(shown).toMatchObject({ code: 0 });
  expect(JSON.parse(shown.stdout)).toMatchObject({
    state: 'completed',
    content_type: expect.stringMatching(/^multipart\/form-data; boundary=/),
  });
  expect(shown.stderr).toContain('warning: this content was sent as a form');
  const { code, stdout, stderr } = await admin(['file', 'download', 'orders', '--output', '-']);
  expect(code).toBe(0);
  expect(stdout).toContain('filename="orders.csv"');
  expect(stderr).toContain('warning: this content was sent as a form');
});

test('a cancelled upload URL answers 412, and a second cancel changes nothing', async () => {
  const { url, uploadId } = await issueUploadUrl();
  expect(await adminHere('upload', 'cancel', uploadId)).toMatchObject({ state: 'cancelled' });
  expect((await fetch(url, { method: 'PUT', body: 'too late' })).status).toBe(412);
  expect(await admin(['upload', 'cancel', uploadId])).toMatchObject({
    code: 1,
    stdout: '',
    stderr: expect.stringContaining('was cancelled at'),
  });
});

test('secrets are added and removed, and a revocation holds immediately', async () => {
  const added = await adminHere<{ client_secret: string; secret_id: string }>(
    'client',
    'add-secret',
    client.client_id,
  );
  expect((await requestToken(added.client_secret)).status).toBe(200);
  await adminHere('client', 'remove-secret', client.client_id, '--secret-id', added.secret_id);
  expect((await requestToken(added.client_secret)).status).toBe(401);
  await adminHere('client', 'revoke', client.client_id);
  expect((await requestToken()).status).toBe(401);
  await adminHere('client', 'restore', client.client_id);
  expect((await requestToken()).status).toBe(200);
});

test('the signing key is rotated and the old one revoked while tokens are issued', async () => {
  interface Keys {
    readonly data: readonly { readonly kid: string; readonly state: string }[];
  }
  const before = await adminHere<Keys>('signing-key', 'list');
  const next = before.data.find(({ state }) => state === 'next');
  const current = before.data.find(({ state }) => state === 'current');
  const after = await adminHere<Keys>('signing-key', 'rotate', '--yes');
  expect(after.data.find(({ state }) => state === 'current')?.kid).toBe(next?.kid);
  expect(after.data.map(({ kid }) => kid)).toContain(current?.kid);
  const revoked = await adminJson(['signing-key', 'revoke', current?.kid ?? '', '--yes']);
  expect(revoked).toMatchObject({ kid: current?.kid, signing_kid: next?.kid });
  expect((await requestToken()).status).toBe(200);
  const published = (await (await fetch(`${run.baseUrl}/.well-known/jwks.json`)).json()) as {
    keys: { kid: string }[];
  };
  expect(published.keys.map(({ kid }) => kid)).toContain(next?.kid);
});

test('an empty dead-letter queue is replayed as such', async () => {
  expect(await adminHere('upload', 'replay')).toEqual({ replayed: 0, failed: 0 });
});

test('a state folder that no run uses says to start one', async () => {
  const failed = await finished(start(tools.admin, ['--local', '--state', folder, 'client', 'list']));
  expect(failed).toMatchObject({ code: 1, stdout: '', stderr: expect.stringContaining('npm start') });
});
