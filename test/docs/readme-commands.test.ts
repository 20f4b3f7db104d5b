import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, symlink } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type LocalRun, startLocalRun } from '../support/local-run.ts';
import { recordProduced } from '../support/produced-secrets.ts';

/** The code blocks of README.md, run as they are against a local run, in a copy of the project's folder. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(root, 'README.md'), 'utf8');

/** The code blocks of one language below a heading, up to the next heading. */
function blocks(heading: string, language: 'sh' | 'js'): readonly string[] {
  const section = page.split(/^(?=##+ )/m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  return [...section.matchAll(/^```(\w+)\n([\s\S]*?)^```$/gm)]
    .filter(([, name]) => name === language)
    .map(([, , text = '']) => text);
}

const block = (heading: string, language: 'sh' | 'js', index = 0) => {
  const text = blocks(heading, language)[index];
  if (text === undefined) {
    throw new Error(`README.md has no block ${index} in ${language} below "${heading}"`);
  }
  return text;
};

let folder: string;
let run: LocalRun;
let client: { readonly id: string; readonly secret: string };
let fileId: string;

interface Outcome {
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

/** Runs lines as a person does who pastes them: a line that fails does not end the shell. */
function shell(lines: string, cwd = folder): Promise<Outcome> {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false' };
  return new Promise((resolve) => {
    const child = execFile('sh', ['-c', lines], { cwd, env }, (_, stdout, stderr) =>
      resolve({ code: child.exitCode, stdout, stderr }),
    );
  });
}

/** The four values, in place of the dots. */
function settings(secret = client.secret): string {
  const values = {
    FILE_SYNC_CLIENT_ID: client.id,
    FILE_SYNC_CLIENT_SECRET: secret,
    FILE_SYNC_FILE_ID: fileId,
  };
  let lines = block('## Call it', 'sh').replace(/BASE_URL=\S+/, `BASE_URL=${run.baseUrl}`);
  for (const [name, value] of Object.entries(values)) {
    expect(lines).toContain(` ${name}=...`);
    lines = lines.replace(` ${name}=...`, ` ${name}=${value}`);
  }
  return lines;
}

beforeAll(async () => {
  folder = await mkdtemp(join(tmpdir(), 'file-sync-readme-test-'));
  const entries = (await readdir(root)).filter((name) => !/^\.(git|local.*)$|^cdk\.out$|^dist$/.test(name));
  await Promise.all(entries.map((name) => symlink(join(root, name), join(folder, name))));
  run = await startLocalRun({ stateDirectory: join(folder, '.local') });
  const provision = block('## Deploy it', 'sh', 1).replaceAll('--stack file-sync-prod', '--local');
  const made = await shell(provision.replace(/^npm run verify.*\n/m, ''));
  expect(made).toMatchObject({ code: 0 });
  client = {
    id: /\bclient_\w+/.exec(made.stdout)?.[0] ?? '',
    secret: /\bfss_[\w-]+/.exec(made.stdout)?.[0] ?? '',
  };
  recordProduced('client secret', client.secret);
  fileId = /\bfile_\w+/.exec(made.stdout)?.[0] ?? '';
});

afterAll(async () => {
  await run?.stop();
  await rm(folder, { recursive: true, force: true });
});

describe('the lines to provision', () => {
  test('make a client and a file on the local run', () => {
    expect(client.id).toMatch(/^client_/);
    expect(client.secret).toMatch(/^fss_.{49}$/);
    expect(fileId).toMatch(/^file_/);
  });
});

const [curl, command] = ['### With curl', '### With the upload command'];
const wrong = 'fss_wrong';
const words =
  '{"error":"invalid_client","error_description":"The client id or client secret is missing or wrong, or the client is revoked"}';

describe('the curl lines', () => {
  test('upload the sample file', async () => {
    const outcome = await shell(settings() + block(curl, 'sh'));
    expect(outcome).toEqual({ code: 0, stdout: '{"data":[]}\nuploaded\n', stderr: '' });
  });

  test('stop at a wrong secret with the words of the API', async () => {
    const outcome = await shell(settings(wrong) + block(curl, 'sh'));
    expect(outcome).toMatchObject({ stdout: '' });
    expect(outcome.code).not.toBe(0);
    expect(outcome.stderr.split('\n')).toEqual([expect.stringMatching(/^curl: \(22\) .* 401$/), words, '']);
  });
});

describe('the line with the upload command', () => {
  test('uploads the sample file', async () => {
    const outcome = await shell(settings() + block(command, 'sh'));
    expect(outcome).toMatchObject({ code: 0 });
    expect(outcome.stdout).toContain(`orders.csv is uploaded into file "${fileId}": 19 bytes`);
  });
});
