import { execFile } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { adminTool, buildTool } from '../../../tools/generate/build-tool.ts';
import { createClient } from '../../../tools/operator/clients.ts';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';

/** The built admin command as an operator without a clone gets it: one file, in a folder of its own. */
let aws: FakeAws;
let folder: string;

beforeAll(async () => {
  aws = await startFakeAws();
  folder = await mkdtemp(join(tmpdir(), 'file-sync-tool-test-'));
  await buildTool(adminTool, folder);
  const { stackName, outputs, awsConfig } = aws.deployment;
  const { endpoint: awsEndpoint, region, credentials } = awsConfig;
  const state = { pid: process.pid, awsEndpoint, region, stackName, credentials, outputs };
  await writeFile(join(folder, 'run.json'), JSON.stringify(state));
});
afterAll(async () => {
  await aws.stop();
  await rm(folder, { recursive: true, force: true });
});

/** Says at the end how many microseconds of processor time were used. */
const clock =
  "process.on('exit', () => { const { user, system } = process.cpuUsage(); console.error(user + system); })";

function run(...parameters: readonly string[]) {
  const all = ['--import', `data:text/javascript,${clock}`, 'file-sync-admin.mjs', ...parameters];
  return new Promise<{ stdout: string; stderr: string; seconds: number }>((resolve) => {
    execFile(process.execPath, all, { cwd: folder, env: { PATH: process.env.PATH } }, (_, stdout, stderr) => {
      resolve({ stdout, stderr, seconds: Number(stderr.trimEnd().split('\n').at(-1)) / 1e6 });
    });
  });
}

test('works on a deployment without this repository, and names itself in what it prints', async () => {
  const made = await createClient(aws.deployment, {
    organisationId: 'acme',
    name: 'Nightly',
    scopes: ['volume:read'],
  });
  const listed = await run('--local', '--state', '.', 'client', 'list', '--json');
  expect(JSON.parse(listed.stdout).data).toMatchObject([{ client_id: made.client_id }]);
  const unknown = await run('--local', '--state', '.', 'client', 'show', 'nobody');
  expect(unknown.stderr).toContain('node file-sync-admin.mjs --local --state . search nobody\n');
});

test('starts in under 0.3 s of processor time: the SDK is loaded when a command needs it', async () => {
  const used = async (...parameters: readonly string[]) => {
    const runs = [await run(...parameters), await run(...parameters), await run(...parameters)];
    return Math.min(...runs.map(({ seconds }) => seconds));
  };
  expect(await used('--help')).toBeLessThan(0.3);
  expect(await used('--local', '--state', '.', 'client', 'list')).toBeLessThan(0.3);
});
