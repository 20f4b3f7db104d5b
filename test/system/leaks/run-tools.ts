import { spawn } from 'node:child_process';
import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import type { LocalRun } from '../../support/local-run.ts';
import { recordProduced } from '../../support/produced-secrets.ts';
import { commandFromSource } from '../../support/programs.ts';
import type { Written } from '../../support/search-for-secrets.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));

interface Client {
  readonly client_id: string;
  readonly client_secret: string;
}

/**
 * What the command-line tools print, when all is well and when it is not, with DEBUG set so that stacks are shown.
 * The SDK's errors carry whole signed requests; none of that may come through.
 */
export async function runTools(run: LocalRun, folder: string): Promise<Written[]> {
  const written: Written[] = [];
  const keep = async (name: string, work: Promise<string>) => {
    const output = await work;
    written.push({ name: `output of ${name}`, bytes: Buffer.from(output) });
    return output;
  };
  const admin = (...parameters: string[]) =>
    tool('admin', ['--local', '--state', run.stateDirectory, ...parameters]);
  const name = ['--organisation', 'leaks', '--name', 'Leaks'];
  // It shows the secret, which is its job: this output is not searched.
  const client = JSON.parse(
    await admin('--json', 'client', 'create', ...name, '--scope', 'volume:read', '--scope', 'sync:create'),
  ) as Client;
  recordProduced('client secret', client.client_secret);
  await keep('file create', admin('file', 'create', ...name, '--id', 'leaks', '--sync-enabled'));

  const path = join(folder, 'content.bin');
  await writeFile(path, 'content');
  const right = environmentOf(run.baseUrl, client);
  const uploaded = await keep('upload', tool('upload', [path, '--file', 'leaks'], right));
  if (!uploaded.includes('is uploaded into file "leaks"')) {
    throw new Error(`The upload command did not upload: ${uploaded}`);
  }
  await keep('upload to no file', tool('upload', [path, '--file', 'nothing'], right));
  const swapped = { client_id: client.client_secret, client_secret: client.client_id };
  await keep(
    'upload with swapped credentials',
    tool('upload', [path, '--file', 'leaks'], environmentOf(run.baseUrl, swapped)),
  );
  await keep(
    'upload to no service',
    tool('upload', [path, '--file', 'leaks'], environmentOf('http://127.0.0.1:9', client)),
  );

  for (const command of [
    ['client', 'list'],
    ['client', 'show', client.client_id],
    ['file', 'show', 'leaks'],
    ['upload', 'list', '--organisation', 'leaks'],
    ['signing-key', 'list'],
    ['client', 'show', client.client_secret],
    ['file', 'download', 'leaks', '--output', join(folder, 'absent', 'content.bin')],
  ]) {
    // The parameter of one of them is a secret, and no part of a name.
    await keep(`admin ${command.slice(0, 2).join(' ')}`, admin(...command));
    await keep(`admin --json ${command.slice(0, 2).join(' ')}`, admin('--json', ...command));
  }
  await keep('admin with credentials that AWS refuses', adminWithWrongKey(run, folder));
  return written;
}

function environmentOf(baseUrl: string, client: Client): Record<string, string> {
  return {
    FILE_SYNC_BASE_URL: baseUrl,
    FILE_SYNC_CLIENT_ID: client.client_id,
    FILE_SYNC_CLIENT_SECRET: client.client_secret,
  };
}

/** Through a run file of which one character of the secret key is wrong, so that AWS refuses every signature. */
async function adminWithWrongKey(run: LocalRun, folder: string): Promise<string> {
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

/** Runs a tool and gives everything that it printed. */
async function tool(
  name: 'admin' | 'upload',
  parameters: readonly string[],
  environment: Readonly<Record<string, string>> = {},
): Promise<string> {
  const child = spawn(process.execPath, [...commandFromSource(`tools/${name}/main.ts`), ...parameters], {
    cwd: root,
    env: { ...process.env, ...environment, DEBUG: '1' },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr] = await Promise.all([
    child.stdout.setEncoding('utf8').toArray(),
    child.stderr.setEncoding('utf8').toArray(),
  ]);
  return [...stdout, ...stderr].join('');
}
