import { createClock } from 'cloud-assembly-emulator';
import { expect, test } from 'vitest';
import { cloudWatchLogsClient } from '../../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { writeTokenLog } from '../../../support/token-log.ts';
import { useRunningStack } from '../../../support/use-running-stack.ts';
import { hurriedClock } from '../../console/support/serve.ts';

/** Tests the end and the last use of client secrets. */

const day = 86_400_000;
const clock = createClock();
const states = new Map<string, string>();
const stack = await useRunningStack({
  clock,
  onAlarm: ({ alarm, to }) => void states.set(alarm.replace(/^.*Alarms(.*).{8}$/, '$1'), to),
});
const run = adminOf(stack.deployment);
const lineWith = (text: string, part: string) => text.split('\n').find((line) => line.includes(part));

test('a rotation, from the alarm to the removal of the old secret', async () => {
  const { client, requestToken } = await createApiUser(stack);
  const { client_id: id } = client;
  const rotate = async (options: string) => {
    const { secret_id, client_secret } = (await run(`client rotate-secret ${id} ${options} --json`)).json();
    return { S: String(secret_id), value: String(client_secret) };
  };
  const use = async (client_secret: string) => (await requestToken({ client_secret })).status;
  const alarm = async () => {
    await stack.evaluateAlarms(new Date(clock.now()));
    return states.get('SecretsEnding');
  };
  const inDoctor = async () => lineWith((await run('doctor')).stdout, ' secrets ');
  const inShow = async (S: string) => lineWith((await run(`client show ${id}`)).stdout, S);

  const old = await rotate('--grace 0s --ends 60d');
  clock.advance(31 * day);
  expect(await inShow(old.S)).toMatch(/ends 2\S+Z, not used in the last 30 days$/);
  expect((await run('client list --csv')).stdout).toMatch(/,secret_ends_at\r\n.*,2\S+Z\r\n/);
  expect(await alarm()).toBe('OK');
  expect(await inDoctor()).toMatch(/^ok .* within 30 days: not used in the last 2 days$/);

  expect(await use(old.value)).toBe(200);
  expect(await alarm()).toBe('ALARM');
  expect(await inDoctor()).toMatch(
    new RegExp(`^warn .* 1 secret in use, .* ${id}: ${old.S}, .*, last used 2`),
  );
  const young = await rotate('--grace 14d --ends 180d');

  clock.advance(3 * day);
  expect(await use(young.value)).toBe(200);
  expect(await alarm()).toBe('OK');
  const [, used = ''] = /last used (2\S+Z)$/.exec(`${await inShow(old.S)}`) ?? [];
  expect(clock.now() - Date.parse(used)).toBeGreaterThan(3 * day);
  const asked = await run(`client remove-secret ${id} --secret-id ${old.S}`);
  expect(asked.stderr).toContain(`This removes the secret "${old.S}": last used ${used}. An`);

  clock.advance(180 * day);
  expect(await use(young.value)).toBe(401);
  expect((await run('request count --since 1h --outcome rejected')).stdout).toMatch(/ended_secret +1 /);
});

const create = async () =>
  (await run('client create --organisation acme --name A --scope volume:read --json')).json();

async function denyLogs(): Promise<Partial<Deployment>> {
  const deployment = { ...stack.deployment, awsConfig: { ...stack.deployment.awsConfig } };
  const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });
  const logs = await cloudWatchLogsClient(deployment);
  logs.middlewareStack.add(() => () => Promise.reject(denied), { step: 'initialize' });
  return deployment;
}

const { outputs } = stack.deployment;
const lasting = { outputs: { ...outputs, LogRetentionDays: '7' } };

test.for<[name: string, changes: Partial<Deployment>, shown: RegExp, note: RegExp]>([
  ['seven days of logs', lasting, /, not used in the last 7 days\n$/, /^$/],
  ['a time limit', { now: hurriedClock(10_000) }, /, not used since 2\S+Z, and the log was/, /^$/],
  ['no permission', await denyLogs(), /, no end\n$/, /last use of the secrets could not .* do not allow/],
])('a client is shown with %s', async ([, changes, shown, note]) => {
  const { client_id } = await create();
  const { code, stdout, stderr } = await adminOf({ ...stack.deployment, ...changes })(
    `client show ${client_id}`,
  );
  expect(code).toBe(0);
  expect(stdout).toMatch(shown);
  expect(stderr.replace(/^The clock .*\n/, '')).toMatch(note);
});

test('a use before the time limit may not be the last', async () => {
  const { client_id, secret_id } = await create();
  const timestamp = new Date(Date.now() - 60_000);
  const line = { timestamp, message: 'Access token issued', client_id, secret_id };
  await writeTokenLog(stack, [line]);
  const { stdout } = await adminOf({ ...stack.deployment, now: hurriedClock(10_000) })(
    `client show ${client_id}`,
  );
  expect(stdout).toContain(`, last used ${timestamp.toISOString()} or later\n`);
});
