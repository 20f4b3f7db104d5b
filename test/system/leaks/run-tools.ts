import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { localDeployment } from '../../../tools/local/local-deployment.ts';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import type { LocalRun } from '../../support/local-run.ts';
import { recordProduced } from '../../support/produced-secrets.ts';
import { type Finished, runProcess } from '../../support/run-process.ts';
import type { Written } from '../../support/search-for-secrets.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

/**
 * Runs the command-line tools, successfully and with errors, and returns their output. DEBUG is set so that
 * stacks are printed. The SDK's errors contain whole signed requests, which the tools must not print.
 */
export async function runTools(run: LocalRun, folder: string): Promise<Written[]> {
  const written: Written[] = [];
  const keep = async (name: string, work: Promise<Finished>) => {
    const { stdout, stderr } = await work;
    const output = stdout + stderr;
    written.push({ name: `output of ${name}`, bytes: Buffer.from(output) });
    return output;
  };
  const admin = (...parameters: string[]) =>
    tool('admin', ['--local', '--state', run.stateDirectory, ...parameters]);
  const deployment = await localDeployment(run.stateDirectory);
  const { client, newFile } = await createApiUser({ deployment }, 'leaks');
  recordProduced('client secret', client.client_secret);
  const file = await newFile();
  const path = join(folder, 'content.bin');
  await writeFile(path, 'content');
  const right = environmentOf(run.baseUrl, client);
  const uploaded = await keep('upload', tool('upload', [path, '--file', file], right));
  if (!uploaded.includes('is uploaded into file')) {
    throw new Error(`The upload command did not upload: ${uploaded}`);
  }
  const swapped = { client_id: client.client_secret, client_secret: client.client_id };
  for (const [name, fileId, environment] of [
    ['upload to no file', 'nothing', right],
    ['upload with swapped credentials', file, environmentOf(run.baseUrl, swapped)],
    ['upload to no service', file, environmentOf('http://127.0.0.1:9', client)],
  ] as const) {
    await keep(name, tool('upload', [path, '--file', fileId], environment));
  }
  for (const command of [
    'client list',
    `client show ${client.client_id}`,
    `file show ${file}`,
    'upload list --organisation leaks',
    'signing-key list',
    `client show ${client.client_secret}`,
    `file download ${file} --output ${join(folder, 'absent', 'content.bin')}`,
  ]) {
    const words = command.split(' ');
    // One of them receives a secret as parameter, which must not become part of a name.
    await keep(`admin ${words.slice(0, 2).join(' ')}`, admin(...words));
    await keep(`admin --json ${words.slice(0, 2).join(' ')}`, admin('--json', ...words));
  }
  await keep('admin with credentials that AWS rejects', adminWithWrongKey(run, folder));
  return written;
}

function environmentOf(
  baseUrl: string,
  client: Pick<ApiUser['client'], 'client_id' | 'client_secret'>,
): Record<string, string> {
  return {
    FILE_SYNC_BASE_URL: baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: client.client_secret,
  };
}

/** Uses a run file with one wrong character in the secret key, so that AWS rejects every signature. */
async function adminWithWrongKey(run: LocalRun, folder: string): Promise<Finished> {
  const file = JSON.parse(await readFile(join(run.stateDirectory, 'run.json'), 'utf8')) as {
    readonly credentials: { readonly accessKeyId: string; readonly secretAccessKey: string };
  };
  const { accessKeyId, secretAccessKey } = file.credentials;
  const wrong = `${secretAccessKey.slice(1)}x`;
  recordProduced('AWS secret key', wrong);
  await writeFile(
    join(folder, 'run.json'),
    JSON.stringify({ ...file, credentials: { accessKeyId, secretAccessKey: wrong } }),
    { mode: 0o600 },
  );
  return tool('admin', ['--local', '--state', folder, 'client', 'list']);
}

function tool(
  name: 'admin' | 'upload',
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<Finished> {
  const command = ['--import', 'tsx', `tools/${name}/main.ts`, ...parameters];
  const options = { cwd: root, env: { ...process.env, ...environment, DEBUG: '1' } };
  return runProcess(process.execPath, command, options);
}
