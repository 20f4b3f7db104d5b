import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { createClient } from '../../../../tools/operator/clients/client.ts';
import { sumOf } from '../../../../tools/operator/deployment/metrics.ts';
import { lastHour, readActivity } from '../../../../tools/operator/requests/activity.ts';
import { countRequests } from '../../../../tools/operator/requests/count-requests.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { useRunningStack } from '../../../support/use-running-stack.ts';
import { seedClient } from '../../console/support/seed.ts';
import { hurriedClock, startConsole } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';

/** Tests the metrics and logs of client requests. */

const stack = await useRunningStack();
const { client, newFile, issue, sync, token, requestToken, volumes } = await createApiUser(stack);
const { client_id: clientId } = client;
const other = await seedClient(stack.deployment);
const wrongScope = { scope: 'none' };
await requestToken({ client_secret: other.client_secret });
await requestToken({ grant_type: 'password' });
await Promise.all([wrongScope, wrongScope, wrongScope].map(requestToken));
const fileId = await newFile();
for (const body of ['first', 'second!']) {
  await (await issue(fileId)).put(body);
  await stack.eventsSettled();
}
await sync('unknown');
await sync(fileId, 'no token');
await volumes(`${token}x`);
await stack.eventsSettled();
const activity = await readActivity(stack.deployment, lastHour(Date.now()));

describe('the activity of a deployment', () => {
  test('counts requests by status and route, tokens, upload URLs and uploads', () => {
    const totals = Object.entries(activity.values).map(([name, values]) => [name, sumOf(values)]);
    expect(Object.fromEntries(totals)).toEqual({
      succeeded: 3,
      rejected: 8,
      failed: 0,
      p95: expect.any(Number),
      token: 6,
      volumes: 1,
      sync: 4,
      documents: 0,
      tokens: 1,
      urls: 2,
      completed: 2,
      expired: 0,
      bytes: 'firstsecond!'.length,
    });
  });

  test('is a value for each minute of the hour, the latest last', () => {
    expect(activity.values.urls.length).toBe(61);
    expect(sumOf(activity.values.urls.slice(-5))).toBe(2);
  });

  const [hour, day] = [3_600_000, 86_400_000];

  // CloudWatch keeps minutes for 15 days, and five minutes for 63 days.
  test.for([
    ['a day', day, 0, 1800],
    ['a year', 365 * day, 0, 604_800],
    ['an hour a month ago', hour, 30 * day, 300],
    ['an hour a year ago', hour, 365 * day, 3600],
  ] as const)('of %s has periods that CloudWatch keeps', async ([, length, ago, seconds]) => {
    const until = Date.now() - ago;
    const read = await readActivity(stack.deployment, { since: until - length, until });
    expect(read.period).toBe(seconds * 1000);
  });
});

describe('the requests of a deployment', () => {
  const run = adminOf(stack.deployment);
  const read = async (line: string) => (await run(`request ${line} --json`)).json();
  const countsOf = async (flags: string) =>
    (await read(`count ${flags}`)).data as readonly Record<string, unknown>[];
  const last = { last_at: expect.stringMatching(/Z$/), last_request_id: expect.stringMatching(/=$/) };

  test('that were rejected are counted by client and reason, clients first', async () => {
    const client = { client_id: clientId, organisation_id: 'acme' };
    const counts = await countsOf('--outcome rejected');
    expect(counts[0]).toMatchObject({ ...client, outcome: 'invalid_scope', count: 3, ...last });
    expect(counts.slice(1, 3)).toEqual(
      expect.arrayContaining([
        expect.objectContaining({ ...client, outcome: 'wrong_secret', count: 1 }),
        expect.objectContaining({ ...client, outcome: 'not_found', count: 1 }),
      ]),
    );
    // One rejected request for an upload URL, and one for the list of volumes.
    expect(counts[3]).toMatchObject({ outcome: 'invalid_token', count: 2, ...last });
    expect(counts[3]).not.toHaveProperty('client_id');
    expect(counts[4]).toMatchObject({ outcome: 'unsupported_grant_type', count: 1 });
    expect(counts).toHaveLength(5);
  });

  test('are counted one by one as their lines are read', async () => {
    const told: number[] = [];
    const progress = (read: number) => told.push(read);
    const counted = await countRequests(stack.deployment, { since: new Date(0).toISOString() }, { progress });
    expect(counted).toMatchObject({ read: 13, isCutShort: false });
    expect(told.at(-1)).toBe(13);
  });

  test('that were served are counted by client', async () => {
    const client = { client_id: clientId, organisation_id: 'acme', ...last };
    expect(await countsOf('--outcome succeeded')).toEqual([
      { ...client, outcome: 'Upload URL issued', count: 2, before: 0 },
      { ...client, outcome: 'Upload recorded', count: 2, before: 0, bytes: 'firstsecond!'.length },
      { ...client, outcome: 'Access token issued', count: 1, before: 0 },
    ]);
  });

  test('of another time or organisation are left out', async () => {
    expect(await countsOf('--since 0s')).toEqual([]);
    expect(await countsOf('--until 1h')).toEqual([]);
    expect(await countsOf('--organisation other')).toEqual([]);
  });

  test('with invented ids share a row, below the clients', async () => {
    const now = Date.now();
    const invented = Array.from({ length: 10_000 }, (_, index) => ({
      timestamp: new Date(now - index),
      message: 'Access token rejected',
      rejection: 'unknown_client',
      client_id: `client_${String(index).padStart(26, '0')}`,
      request_id: `request-${index}`,
    }));
    await writeTokenLog(invented);
    const { stdout } = await run('request count --outcome rejected --csv');
    const lines = stdout.trim().split('\r\n');
    expect(lines[0]).toBe(
      'client_id,organisation_id,outcome,count,before,bytes,last_at,last_ip,last_request_id',
    );
    expect(lines[1]).toContain(clientId);
    expect(lines[4]).toMatch(/^,,unknown_client,10000,0,,[^,]+,,request-0$/);
    expect(lines).toHaveLength(7);
  });

  test('are counted only in part when the time is up, as the page shows', async () => {
    const console = await startConsole({ ...stack.deployment, now: hurriedClock(10_000) });
    const visitor = await enter(console);
    const { text } = await visitor.get('/requests/count');
    expect(text).toContain(
      'The limit of a page was reached: the command &quot;request count&quot; has no limit.',
    );
  });

  test('are counted by organisation, with the span before', async () => {
    const organisation_id = 'initech';
    const clients = await Promise.all(
      ['One', 'Two'].map((name) =>
        createClient(stack.deployment, { organisationId: organisation_id, name, scopes: [] }),
      ),
    );
    const minutesAgo = [3, 61, 62, 119, 121];
    const rejected = clients.flatMap(({ client_id }) =>
      minutesAgo.map((minutes) => ({
        timestamp: new Date(Date.now() - minutes * 60_000),
        message: 'Access token rejected',
        rejection: minutes === 62 ? 'wrong_secret' : 'invalid_scope',
        client_id,
        organisation_id,
      })),
    );
    await writeTokenLog(rejected);
    const row = { organisation_id, last_at: expect.any(String) };
    expect(await countsOf(`--since 1h --by organisation --organisation ${organisation_id}`)).toEqual([
      { ...row, outcome: 'invalid_scope', count: 2, before: 4 },
      { ...row, outcome: 'wrong_secret', count: 0, before: 2 },
    ]);
  });

  test('at the start of the span are counted once', async () => {
    const since = '2026-01-31T08:00:00.000Z';
    const line = { message: 'Access token rejected', rejection: 'invalid_scope', organisation_id: 'edge' };
    await writeTokenLog([{ timestamp: since, ...line }]);
    const flags = `--since ${since} --until 2026-01-31T09:00:00.000Z --organisation edge`;
    expect(await countsOf(flags)).toMatchObject([{ count: 1, before: 0 }]);
  });

  test('have the client that the function logged 50 s before', async () => {
    const [request_id, { client_id }] = ['LoggedBefore123=', other];
    const line = (secondsAgo: number, members: object) => [
      { timestamp: new Date(Date.now() - secondsAgo * 1000), request_id, ...members },
    ];
    await writeTokenLog(line(110, { client_id }));
    await writeLog('access', line(60, { status: 400, route: 'POST /oauth/token' }));
    expect(await read(`show ${request_id}`)).toMatchObject({ client_id });
    expect(await read(`list --client ${client_id}`)).toMatchObject({ data: [{ request_id }] });
  });

  const tokenFunction = stack.resources.find(({ logicalId }) => logicalId.startsWith('TokenFunction'))?.ref;
  const writeTokenLog = (lines: readonly object[]) => writeLog(`${tokenFunction}`, lines);

  const writeLog = (name: string, lines: readonly object[]) => {
    const text = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    return appendFile(join(stack.stateDirectory, 'logs', `${name}.log`), text);
  };
});
