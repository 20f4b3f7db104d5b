import { appendFile } from 'node:fs/promises';
import { createClock } from 'cloud-assembly-emulator';
import { cloudWatchLogsClient } from '../../../../tools/operator/deployment/aws-clients.ts';
import type { Deployment } from '../../../../tools/operator/deployment/deployment.ts';
import { fetchToken } from '../../../support/fetch-token.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { useRunningStack } from '../../../support/use-running-stack.ts';
import { hurriedClock } from '../../console/support/serve.ts';

/** Tests the end and the last use of client secrets. */

const clock = createClock();
const stack = await useRunningStack({ clock });
const run = adminOf(stack.deployment);
const create = async (options = '') =>
  (await run(`client create --organisation acme --name A --scope volume:read ${options}--json`)).json();

test('a secret is listed in its last 30 days, and then rejected', async () => {
  const { client_id: clientId, client_secret } = await create('--ends 31d ');
  const listed = async () => (await run('client list --csv')).stdout;
  expect(await listed()).toMatch(new RegExp(`,secret_ends_at,allow_from\r\n${clientId},.*,,\r\n$`));
  clock.advance(30 * 86_400_000);
  expect(await listed()).toMatch(new RegExp(`\n${clientId},.*,2\\S+Z,\r\n$`));
  const credentials = { clientId: String(clientId), clientSecret: String(client_secret) };
  await fetchToken(stack.baseUrl, credentials);
  clock.advance(86_400_000);
  await expect(fetchToken(stack.baseUrl, credentials)).rejects.toThrow();
  expect((await run('request count --since 1h --outcome rejected')).stdout).toMatch(/ended_secret +1 /);
});

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
  const token = stack.resources.find(({ logicalId }) => logicalId.startsWith('TokenFunction'))?.ref;
  await appendFile(`${stack.stateDirectory}/logs/${token}.log`, `${JSON.stringify(line)}\n`);
  const { stdout } = await adminOf({ ...stack.deployment, now: hurriedClock(10_000) })(
    `client show ${client_id}`,
  );
  expect(stdout).toContain(`, last used ${timestamp.toISOString()} or later\n`);
});
