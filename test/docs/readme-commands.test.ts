import { readdir, readFile, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { startLocalRun } from '../support/local-run.ts';
import { lacks } from '../support/missing-tool.ts';
import { recordProduced } from '../support/produced-secrets.ts';
import { runProcess } from '../support/run-process.ts';

/** Runs the code blocks of README.md unchanged against a local run, in a copy of the project's folder. */

const root = fileURLToPath(new URL('../../', import.meta.url));
const page = await readFile(join(root, 'README.md'), 'utf8');

/** Returns a code block below a heading, up to the next heading. */
function block(heading: string, index = 0): string {
  const section = page.split(/^(?=##+ )/m).find((part) => part.startsWith(`${heading}\n`)) ?? '';
  const text = [...section.matchAll(/^```sh\n([\s\S]*?)^```$/gm)][index]?.[1];
  return text ?? expect.fail(`README.md has no block ${index} below "${heading}"`);
}

/** Runs lines as if they were pasted into a shell: a failed line does not end the shell. */
function shell(lines: string) {
  const env = { PATH: process.env.PATH, HOME: folder, npm_config_update_notifier: 'false' };
  return runProcess('sh', ['-c', lines], { cwd: folder, env });
}

/** Replaces the dots with the four values. */
function settings(secret = client.secret): string {
  const values = {
    FILE_SYNC_CLIENT_ID: client.id,
    FILE_SYNC_CLIENT_SECRET: secret,
    FILE_SYNC_FILE_ID: fileId,
  };
  let lines = block('## Call it').replace(/BASE_URL=\S+/, `BASE_URL=${run.baseUrl}`);
  for (const [name, value] of Object.entries(values)) {
    expect(lines).toContain(` ${name}=...`);
    lines = lines.replace(` ${name}=...`, ` ${name}=${value}`);
  }
  return lines;
}

const folder = await temporaryFolder();
const entries = (await readdir(root)).filter((name) => !/^\.(git|local.*)$|^cdk\.out$|^dist$/.test(name));
await Promise.all(entries.map((name) => symlink(join(root, name), join(folder, name))));
const run = await startLocalRun({ stateDirectory: join(folder, '.local') });
atEnd(run.stop);
const provision = block('## Deploy it', 1).replaceAll('file-sync-admin', '$& --local');
const made = await shell(provision.replace(/^npm run verify.*\n/m, ''));
expect(made).toMatchObject({ code: 0 });
const client = {
  id: /\bclient_\w+/.exec(made.stdout)?.[0] ?? '',
  secret: /\bfss_[\w-]+/.exec(made.stdout)?.[0] ?? '',
};
recordProduced('client secret', client.secret);
const fileId = /\bfile_\w+/.exec(made.stdout)?.[0] ?? '';

const missing = lacks('curl', '--version') ?? lacks('jq', '--version');

describe.skipIf(missing !== undefined)(missing ?? 'the curl lines', () => {
  test('upload the sample file', async () => {
    const outcome = await shell(settings() + block('## Call it', 1));
    expect(outcome).toEqual({ code: 0, stdout: '200\n', stderr: '' });
  });

  test('stop at a wrong secret with the words of the API', async () => {
    const outcome = await shell(settings('fss_wrong') + block('## Call it', 1));
    expect(outcome).toMatchObject({ stdout: '' });
    expect(outcome.code).not.toBe(0);
    expect(outcome.stderr).toMatch(/^\{"error":"invalid_client",.*\}\n$/);
  });
});

test('the line with the upload command uploads the sample file', async () => {
  const outcome = await shell(settings() + block('## Call it', 2));
  expect(outcome).toMatchObject({ code: 0 });
  expect(outcome.stdout).toContain(`orders.csv is uploaded into file "${fileId}": 19 bytes`);
});
