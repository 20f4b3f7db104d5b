import { statSync } from 'node:fs';
import { readdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { atEnd } from 'cloud-assembly-emulator/test/at-end';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { expect, test } from 'vitest';
import { localDeployment } from '../../../tools/operator/deployment/local-deployment.ts';
import { createApiUser } from '../../support/api-user.ts';
import { type LocalRun, startLocalRun } from '../../support/local-run.ts';
import { runProcess } from '../../support/run-process.ts';

const projectRoot = fileURLToPath(new URL('../../../', import.meta.url));

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

test('a demonstration prints admin lines that work when copied into a shell', async () => {
  const lines = run.stdout().match(/^npx file-sync-admin .*$/gm) ?? [];
  expect(lines.map((line) => line.replace(/^.* (client|file|upload) (\w+) .*$/, '$1 $2'))).toEqual([
    'client show',
    'file show',
    'upload list',
    'file download',
  ]);
  const { stdout } = await runProcess('sh', ['-eu', '-c', lines.join('\n')], { cwd: projectRoot });
  expect(stdout).toMatch(/^Name +Demonstration$/m);
  expect(stdout).toMatch(/^Name +sample\.bin$/m);
  const written = /^Written to +(.*file-sync-sample\.bin)$/m.exec(stdout)?.[1] ?? '';
  expect(stdout).toMatch(new RegExp(`^Size .*\\(${statSync(written).size} bytes\\)$`, 'm'));
  await rm(written);
}, 60_000);

test('a run serves beside another one, and is there again after a kill -9', async () => {
  const stateDirectory = join(await temporaryFolder(), 'one');
  const one = await startLocalRun({ stateDirectory });
  const deployment = await localDeployment(stateDirectory);
  const { token, requestToken } = await createApiUser({ deployment, baseUrl: one.baseUrl });
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
