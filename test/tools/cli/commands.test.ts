import { type ChildProcess, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
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

const fromSource = {
  admin: commandFromSource('tools/admin/main.ts'),
  upload: commandFromSource('tools/upload/main.ts'),
};

function start(tool: Tool, parameters: readonly string[], env: Record<string, string> = {}): ChildProcess {
  return spawn(process.execPath, [...tool, ...parameters], {
    cwd: projectRoot,
    env: { ...process.env, ...env },
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
let tools: typeof fromSource;
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
    const result = JSON.parse(uploaded.stdout) as Record<'upload_id' | 'md5', string>;
    expect(result).toMatchObject({
      size: content.length,
      md5: createHash('md5').update(content).digest('hex'),
      verified: true,
      attempts: 1,
    });

    const watched = await adminJson<{ readonly checksum_crc64nvme: string }>(
      ['upload', 'show', result.upload_id, '--watch'],
      fromSource.admin,
    );
    expect(watched).toMatchObject({ state: 'completed', size: content.length, etag: result.md5 });
    const { checksum_crc64nvme } = watched;
    expect(checksum_crc64nvme).toMatch(/^[A-Za-z0-9+/]{11}=$/);

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
});
