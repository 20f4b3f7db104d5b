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
const raised = new Set<string>();
const stack = await useRunningStack({
  clock,
  onAlarm: ({ alarm, to }) => {
    raised.delete(alarm);
    if (to === 'ALARM') {
      raised.add(alarm);
    }
  },
});
const run = adminOf(stack.deployment);
const firstLine = (text: string, part: string) => text.split('\n').find((line) => line.includes(part));

test('a rotation, from the alarm to the removal of the old secret', async () => {
  const { client, requestToken } = await createApiUser(stack);
  const { client_id: id } = client;
  const create = async (command: string) => {
    const { secret_id, client_secret } = (await run(`client ${command} --json`)).json();
    return { secretId: String(secret_id), value: String(client_secret) };
  };
  const use = async ({ value }: { readonly value: string }) =>
    (await requestToken({ client_secret: value })).status;
  const alarms = async () => {
    await stack.evaluateAlarms(new Date(clock.now()));
    return [...raised].map((name) => name.replace(/^.*Alarms(.*).{8}$/, '$1'));
  };
  const inDoctor = async () => firstLine((await run('doctor')).stdout, ' secrets ');
  const inShow = async (secretId: string) => firstLine((await run(`client show ${id}`)).stdout, secretId);

  const old = await create(`rotate-secret ${id} --grace 0s --ends 60d`);
  clock.advance(31 * day);
  expect(await inShow(old.secretId)).toMatch(/ends 2\S+Z, not used in the last 30 days$/);
  expect(await alarms()).not.toContain('SecretsEnding');
  expect(await inDoctor()).toMatch(/^ok .* no secret that was used since 2\S+Z ends within 30 days$/);
  expect((await run('client list --csv')).stdout).toMatch(/^client_id,.*,secret_ends_at\r\n.*,2\S+Z\r\n/);

  expect(await use(old)).toBe(200);
  expect(await alarms()).toContain('SecretsEnding');
  expect(await inDoctor()).toMatch(
    new RegExp(`^warn .* 1 secret .*: ${old.secretId} of ${id} ends 2\\S+Z, last used 2\\S+Z\\. Rotate`),
  );
  const young = await create(`rotate-secret ${id} --grace 14d --ends 180d`);
  expect(await use(young)).toBe(200);

  clock.advance(3 * day);
  expect(await use(young)).toBe(200);
  expect(await alarms()).not.toContain('SecretsEnding');
  expect(await inDoctor()).toMatch(/^ok /);
  const [, used = ''] = /last used (2\S+Z)$/.exec((await inShow(old.secretId)) ?? '') ?? [];
  expect(clock.now() - Date.parse(used)).toBeGreaterThan(3 * day);
  const remove = `client remove-secret ${id} --secret-id ${old.secretId}`;
  const asked = await run(remove);
  expect(asked.stderr).toContain(
    `This removes the secret "${old.secretId}" of the client "${id}": last used ${used}.`,
  );
  expect(await use(old)).toBe(200);
  const removed = await run(`${remove} --yes`);
  expect(removed.stderr).toMatch(
    new RegExp(`The secret ${old.secretId} was removed: last used 2\\S+Z\\. An`),
  );
  expect(removed.stderr).not.toContain(used);
  expect(await inDoctor()).toMatch(/^ok /);
  expect(await use(old)).toBe(401);

  clock.advance(180 * day);
  expect(await use(young)).toBe(401);
  expect((await run('request count --since 1h --outcome rejected')).stdout).toMatch(/ended_secret +1 /);
});

const denied = Object.assign(new Error('no'), { name: 'AccessDeniedException' });

/** Creates the deployment of an operator who may not read logs. */
async function withoutLogs(): Promise<Deployment> {
  const deployment = { ...stack.deployment, awsConfig: { ...stack.deployment.awsConfig } };
  const logs = await cloudWatchLogsClient(deployment);
  logs.middlewareStack.add(() => () => Promise.reject(denied), { step: 'initialize' });
  return deployment;
}

const limited = { ...stack.deployment.outputs, LogRetentionDays: '7' };

test.for<[name: string, Partial<Deployment> | 'denied', shown: RegExp, note: RegExp]>([
  ['the days for which lines are kept', { outputs: limited }, /, not used in the last 7 days\n$/, /^$/],
  [
    'a time limit',
    { now: hurriedClock(10_000) },
    /, not used since 2\S+Z, and the log was read no further\n$/,
    /^$/,
  ],
  [
    'no permission',
    'denied',
    /, no end\n$/,
    /^The last use of the secrets could not be read\. .*do not allow/,
  ],
])('the last use of a secret is shown with %s', async ([, changes, shown, note]) => {
  const { client_id } = (
    await run('client create --organisation acme --name A --scope volume:read --json')
  ).json();
  const changed = changes === 'denied' ? await withoutLogs() : { ...stack.deployment, ...changes };
  const { code, stdout, stderr } = await adminOf(changed)(`client show ${client_id}`);
  expect(code).toBe(0);
  expect(stdout).toMatch(shown);
  expect(stderr.replace(/^The clock .*\n/, '')).toMatch(note);
});

test('a use before the time limit may not be the last', async () => {
  const made = await run('client create --organisation acme --name A --scope volume:read --json');
  const { client_id, secret_id } = made.json();
  const timestamp = new Date(Date.now() - 60_000);
  const line = { timestamp, message: 'Access token issued', client_id, secret_id };
  // A page has 10,000 lines.
  await writeTokenLog(stack, Array(10_001).fill(line));
  const deployment = { ...stack.deployment, now: hurriedClock(10_000) };
  const { stdout } = await adminOf(deployment)(`client show ${client_id}`);
  expect(stdout).toContain(`, last used ${timestamp.toISOString()} or later\n`);
});
