import { readdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder } from 'cloud-assembly-emulator/test/temporary-folder';
import { localDeployment } from '../../../tools/local/local-deployment.ts';
import { describeAlarm, hoursAheadVariable } from '../../../tools/local/run.ts';
import { appVariable } from '../../../tools/local/start/synthesize.ts';
import { diagnose } from '../../../tools/operator/doctor/diagnose.ts';
import { createApiUser } from '../../support/api-user.ts';
import { send } from '../console/support/visitor.ts';
import { startConsumer } from './events/consumer.ts';
import { startHere } from './support/start-here.ts';

let stateDirectory: string;

beforeEach(async () => {
  stateDirectory = await temporaryFolder();
});

const kept = (name: string) => join(stateDirectory, name);
const modeOf = async (name: string) => (await stat(kept(name))).mode & 0o777;

test('a run leads other commands to it, and is found as it was synthesized', async () => {
  const run = await startHere({ stateDirectory });
  const { BaseUrl: baseUrl } = JSON.parse(await readFile(kept('run.json'), 'utf8')).outputs;
  expect(await modeOf('run.json')).toBe(0o600);
  expect(run.stdout()).toMatch(
    new RegExp(`\nready ${baseUrl}\nPress Ctrl-C to stop\\. The logs are in ${kept('logs')}\n$`),
  );
  expect([await run.stop(), run.stderr()]).toEqual([0, '']);
  const left = await readdir(stateDirectory);
  expect(left.filter((name) => /^(run|lock)\.json$/.test(name))).toEqual([]);

  vi.stubEnv(appVariable, '');
  const again = await startHere({
    stateDirectory,
    flags: `--no-demo --no-console --port ${new URL(baseUrl).port}`,
  });
  expect(again.stdout()).toContain('The CloudFormation template is unchanged since the last start.\n');
});

test('a run sends each event that its file has', async () => {
  const { received, url } = await startConsumer(() => 204);
  const run = await startHere({ stateDirectory, flags: `--no-demo --no-console --events-to ${url}` });
  const deployment = await localDeployment(stateDirectory);
  const user = await createApiUser({ deployment });
  await (await user.issue()).put('content');
  await expect.poll(() => received.length).toBe(1);
  const event: unknown = JSON.parse(await readFile(kept('events.jsonl'), 'utf8'));
  expect(event).toMatchObject({ source: 'file-sync-api', 'detail-type': 'Upload Completed' });
  expect(received).toMatchObject([{ body: event }]);
  expect(await modeOf('events.jsonl')).toBe(0o600);
  // The query may contain a key, so no line shows it.
  const shown = url.replace('?of=uploads', '?...');
  expect(run.stdout()).toContain(`\nEvents are appended to ${kept('events.jsonl')}, and sent to ${shown}\n`);
});

test('a run whose clock went back says so at its start, and in doctor', async () => {
  vi.stubEnv(hoursAheadVariable, '2');
  const ahead = await startHere({ stateDirectory });
  const deployment = await localDeployment(stateDirectory);
  const user = await createApiUser({ deployment });
  const { uploadId } = await user.issue();
  await ahead.stop();

  vi.unstubAllEnvs();
  const run = await startHere({ stateDirectory });
  const [, clock] = await diagnose(await localDeployment(stateDirectory));
  expect(clock).toMatchObject({ check: 'clock', state: 'failed' });
  expect([ahead.stderr(), run.stderr()]).toEqual(['', `${clock?.message}\n`]);
  expect(run.stderr()).toContain(`the upload "${uploadId}" was issued at `);
});

test('a run has a console, which explains how to get another link', async () => {
  const run = await startHere({ stateDirectory, flags: '--no-demo --console-port 0' });
  const link = /^console (\S+)$/m.exec(run.stdout())?.[1] ?? '';
  const entered = await send(link);
  const cookie = entered.headers['set-cookie']?.split(';')[0] ?? '';
  const page = await send(new URL('/overview', link).href, { headers: { cookie } });
  expect(page.text).toContain('local run');
  expect(page.text).not.toContain('read-only');
  expect((await send(link)).text).toContain(
    `Run npx file-sync-admin --local --state ${stateDirectory} console to get a new one.`,
  );
});

test.for([
  ['OK', 'ALARM', 'alarm errors is raised: 3 of 5'],
  ['ALARM', 'OK', 'alarm errors is over: 3 of 5'],
  // Most new alarms change to OK with their first data.
  ['INSUFFICIENT_DATA', 'OK', undefined],
] as const)('an alarm from %s to %s is printed as: %s', ([from, to, line]) => {
  expect(describeAlarm({ alarm: 'errors', from, to, reason: '3 of 5', at: 0 })).toBe(line);
});
