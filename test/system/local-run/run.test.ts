import { execFile } from 'node:child_process';
import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { describe, expect, test } from 'vitest';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { type ApiUser, createApiUser } from '../../support/api-user.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

/** Creates a client of a run, with a token. */
async function userOf({ stateDirectory, baseUrl }: LocalRun): Promise<ApiUser> {
  return createApiUser({ deployment: await localDeployment(stateDirectory), baseUrl });
}

async function statusOfVolumes(run: LocalRun, token: string): Promise<number> {
  const headers = { authorization: `Bearer ${token}` };
  return (await fetch(`${run.baseUrl}/v0/volumes`, { headers })).status;
}

async function keySetOf(run: LocalRun): Promise<unknown> {
  return (await fetch(`${run.baseUrl}/.well-known/jwks.json`)).json();
}

const context = { stage: 'dev' };
// Settings that a developer may use for AWS itself.
const environment = { AWS_USE_FIPS_ENDPOINT: 'true', AWS_USE_DUALSTACK_ENDPOINT: 'true' };
const run = await startLocalRun({ noDemo: false, context, environment, fromSource: true });
atEnd(run.stop);

describe('a run with its demonstration', () => {
  test('says in plain lines that it serves', () => {
    expect(run.stdout()).toContain(
      `\nready ${run.baseUrl}\nPress Ctrl-C to stop. The logs are in ${join(run.stateDirectory, 'logs')}\n`,
    );
    expect(run.stdout()).not.toContain('\u001b');
    expect(run.stderr()).toBe('');
  });

  test('shows the main job: what was sent is what S3 has', () => {
    const [sent, stored] = [/sent +sha256 ([0-9a-f]{64})/, /stored +sha256 ([0-9a-f]{64})/].map(
      (pattern) => pattern.exec(run.stdout())?.[1],
    );
    expect(sent).toBeDefined();
    expect(stored).toBe(sent);
    expect(run.stdout()).toContain('8388608 bytes');
    expect(run.stdout()).toMatch(/ It PUTs 8\.0 MiB to that URL\n +answer +200\n/);
  });

  test('prints curl lines that work when copied into a shell', async () => {
    const lines = /^export FILE_SYNC_BASE_URL=[\s\S]*$/m.exec(run.stdout())?.[0].split('\n\n')[0] ?? '';
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', lines], { cwd: tmpdir() });
    expect(stdout).toMatch(/^\{"data":\[\]\} request id \S+, curl 0, status 200\nuploaded\n$/);
  });

  test('prints admin lines for this run that work when copied into a shell', async () => {
    const lines = run.stdout().match(/^npm run -s admin -- .*$/gm) ?? [];
    expect(lines.map((line) => line.replace(/^.* (client|file|upload) (\w+) .*$/, '$1 $2'))).toEqual([
      'client show',
      'file show',
      'upload list',
      'file download',
    ]);
    const { stdout } = await promisify(execFile)('sh', ['-eu', '-c', lines.join('\n')], { cwd: projectRoot });
    expect(stdout).toMatch(/^Name +Demonstration$/m);
    expect(stdout).toMatch(/^Name +sample\.bin$/m);
    const written = /^Written to +(.*file-sync-sample\.bin)$/m.exec(stdout)?.[1] ?? '';
    expect(stdout).toMatch(new RegExp(`^Size .*\\(${statSync(written).size} bytes\\)$`, 'm'));
    await rm(written);
  }, 60_000);

  test('keeps its credentials for its owner alone', () => {
    const { mode } = statSync(join(run.stateDirectory, 'run.json'));
    expect((mode & 0o777).toString(8)).toBe('600');
  });
});

describe('a run and its state', () => {
  test('serves beside another one, and is there again after a kill -9', async () => {
    const stateDirectory = join(await temporaryFolder(), 'one');
    const one = await startLocalRun({ stateDirectory });
    const { token, requestToken } = await userOf(one);
    expect(await statusOfVolumes(one, token)).toBe(200);
    // Each run is a separate deployment: with another issuer, other keys and other clients.
    expect(await statusOfVolumes(run, token)).toBe(401);
    const keySet = await keySetOf(one);
    expect(await keySetOf(run)).not.toEqual(keySet);
    expect(await run.stop()).toBe(0);

    await one.kill();
    const again = await one.restart();
    expect(again.baseUrl).toBe(one.baseUrl);
    expect(await statusOfVolumes(again, token)).toBe(200);
    expect(await keySetOf(again)).toEqual(keySet);
    expect((await requestToken()).status).toBe(200);

    // npm forwards Ctrl-C to a process that already received it: the user wants one end, not two.
    process.kill(again.pid, 'SIGINT');
    expect(await again.stop()).toBe(0);
    const left = await readdir(stateDirectory);
    expect(left).toContain('aws');
    expect(left).not.toContain('run.json');
    expect(left).not.toContain('lock.json');
  }, 120_000);
});
