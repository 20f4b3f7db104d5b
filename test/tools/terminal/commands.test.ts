import { execFile, spawn } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { readdir, readFile, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { Readable } from 'node:stream';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { expect, test } from 'vitest';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createFile } from '../../../tools/operator/files/file.ts';
import { listUploads } from '../../../tools/operator/uploads/upload.ts';
import { startLocalRun } from '../../support/local-run.ts';
import { commandFromSource, commandOf } from '../../support/programs.ts';

/** The command lines as processes, against the local run: what a person or a script would type. */

const cwd = fileURLToPath(new URL('../../../', import.meta.url));

const folder = await temporaryFolder();
const run = await startLocalRun();
atEnd(run.stop);
const deployment = await localDeployment(run.stateDirectory);
const organisationId = 'acme';
const client = await createClient(deployment, { organisationId, name: 'Export', scopes: ['sync:create'] });
await createFile(deployment, { organisationId, name: 'orders.csv', syncEnabled: true, fileId: 'orders' });
const env = {
  ...process.env,
  FILE_SYNC_BASE_URL: run.baseUrl,
  FILE_SYNC_CLIENT_ID: client.client_id,
  FILE_SYNC_CLIENT_SECRET: client.client_secret,
  FILE_SYNC_FILE_ID: 'orders',
};

/** Runs a tool from its source, and reads the JSON that it prints. */
async function jsonOf(program: string, ...parameters: readonly string[]): Promise<Record<string, string>> {
  const all = [...commandFromSource(program), ...parameters, '--json'];
  return JSON.parse((await promisify(execFile)(process.execPath, all, { cwd, env })).stdout);
}

const admin = (...parameters: readonly string[]) =>
  jsonOf('tools/admin/main.ts', '--local', '--state', run.stateDirectory, ...parameters);

test('what was uploaded is recorded, watched and downloaded, byte by byte', async () => {
  const content = randomBytes(3_000_000);
  const path = join(folder, 'orders.csv');
  await writeFile(path, content);
  const md5 = createHash('md5').update(content).digest('hex');
  const uploaded = await jsonOf('tools/upload/main.ts', path);
  expect(uploaded).toMatchObject({ size: content.length, md5, verified: true, attempts: 1 });

  const watched = await admin('upload', 'show', uploaded.upload_id ?? '', '--watch');
  const checksum = { checksum_crc64nvme: expect.stringMatching(/^[A-Za-z0-9+/]{11}=$/) };
  expect(watched).toMatchObject({ state: 'completed', size: content.length, etag: md5, ...checksum });

  const output = join(folder, 'downloaded.csv');
  const downloaded = await admin('file', 'download', 'orders', '--output', output);
  expect(downloaded).toMatchObject({ etag: md5, checksum_crc64nvme: watched.checksum_crc64nvme });
  expect((await readFile(output)).equals(content)).toBe(true);
});

/** What the local S3 has received of bodies that are not complete. */
async function incoming(): Promise<readonly string[]> {
  const names = await readdir(run.stateDirectory, { recursive: true });
  return names.filter((name) => /(^|\/)incoming\/./.test(name));
}

/** Whether bytes of an upload arrive. Tombstones that an earlier upload may still bring about are empty. */
async function isArriving(): Promise<boolean> {
  const sizeOf = (name: string) => stat(join(run.stateDirectory, name)).catch(() => undefined);
  const found = await Promise.all((await incoming()).map(sizeOf));
  return found.some((facts) => facts !== undefined && facts.size > 0);
}

async function uploadStates(): Promise<readonly string[]> {
  const pages = await Readable.from(listUploads(deployment, { file: 'orders' })).toArray();
  return pages.flat().map(({ state }) => state);
}

test('Ctrl-C breaks an upload off and says so: nothing is stored, and the upload stays issued', async () => {
  const path = join(folder, 'large');
  await writeFile(path, '');
  await truncate(path, 5_000_000_000);
  const before = await uploadStates();
  const parameters = [...(await commandOf('tools/upload/main.ts')), path, '--json'];
  const child = spawn(process.execPath, parameters, { cwd, env });
  const [ended, stdout, stderr] = [once(child, 'exit'), text(child.stdout), text(child.stderr)];
  await expect.poll(isArriving).toBe(true);
  child.kill('SIGINT');
  expect(await ended).toEqual([130, null]);
  const said =
    /Stopped after .* GiB were sent\. Nothing was stored\. Run the command again to upload the file\./;
  expect(await stderr).toMatch(said);
  expect(JSON.parse(await stdout)).toEqual({
    error: expect.stringMatching(said),
    request_id: expect.stringMatching(/^\S{15}=$/),
  });
  await expect.poll(incoming).toEqual([]);
  expect(await uploadStates()).toEqual(['issued', ...before]);
});
