import type { FilterValues } from '../../../../tools/operator/lists/filters.ts';
import { allOf, readAll, readPage } from '../../../../tools/operator/lists/read.ts';
import { windowsOf } from '../../../../tools/operator/requests/logs.ts';
import { requestList } from '../../../../tools/operator/requests/request-list.ts';
import { createApiUser } from '../../../support/api-user.ts';
import { adminOf } from '../../../support/run-admin.ts';
import { useRunningStack } from '../../../support/use-running-stack.ts';
import { linksIn, textOf } from '../../console/support/read-page.ts';
import { seedClient, seedFile } from '../../console/support/seed.ts';
import { hurriedClock, startConsole } from '../../console/support/serve.ts';
import { enter } from '../../console/support/visitor.ts';

/** Tests the list of requests, from the access log and the logs of the functions. */

const stack = await useRunningStack();
const { deployment } = stack;
const acme = await createApiUser(stack);
const umbrella = await createApiUser(stack, 'umbrella');
const idle = await seedClient(deployment);
await umbrella.sync('nowhere');
const { requestId, uploadId } = await acme.issue();
await acme.requestToken({ scope: 'none' });
await acme.volumes();
await fetch(`${stack.baseUrl}/nowhere`);
const ids = { acme: acme.client.client_id, umbrella: umbrella.client.client_id, idle: idle.client_id };

const run = adminOf(deployment);
const list = async (...flags: readonly string[]) =>
  (await run('request list --json', ...flags)).json().data as readonly Record<string, unknown>[];

const failed = '404 POST /v0/files/{fileId}/sync';
const issued = '200 POST /v0/files/{fileId}/sync';
const token = '200 POST /oauth/token';
const badScope = '400 POST /oauth/token';
const unknown = '404 undefined';

describe('the list of requests', () => {
  test('contains every request, with its client and address, newest first', async () => {
    const requests = await list();
    const times = requests.map(({ at }) => String(at));
    expect(times).toEqual(times.toSorted().reverse());
    expect(requests.find(({ request_id }) => request_id === requestId)).toMatchObject({
      status: 200,
      client_id: ids.acme,
      organisation_id: 'acme',
      file_id: expect.any(String),
      ip: '127.0.0.1',
    });
    const rejected = requests.find(({ status }) => status === 400);
    expect(rejected).toMatchObject({ rejection: 'invalid_scope', client_id: ids.acme });
  });

  test.for<readonly [string, readonly string[]]>([
    ['', ['200 GET /v0/volumes', token, token, issued, badScope, failed, unknown]],
    ['--status 4xx', [badScope, failed, unknown]],
    ['--route unknown', [unknown]],
    ['--status 404 --address 127.0.0.1', [failed, unknown]],
    ['--address 192.0.2.1', []],
    [`--client ${ids.idle}`, []],
    [`--client ${ids.acme}`, [token, issued, badScope]],
    ['--organisation umbrella --status 4xx', [failed]],
    ['--organisation umbrella --address 192.0.2.1', []],
    ['--since 2h --until 1h', []],
  ])('contains only the requests of a filter: %s', async ([flags, expected]) => {
    const requests = await list(...flags.split(' ').filter(Boolean));
    expect(requests.map(({ status, route }) => `${status} ${route}`).toSorted()).toEqual(expected);
  });

  test.for<readonly [string, string]>([
    ['--status 999', '"999" is not a value of --status, which lists only requests with this status'],
    ['--address home', '"home" is not a value of --address, which lists only requests from this IP address'],
    ['--since 2999-01-01', 'The start of the list, 2999-01-01T00:00:00.000Z, is in the future.'],
    ['--route /oauth', "argument '/oauth' is invalid. Allowed choices are POST /oauth/token"],
    ['--client nobody', 'There is no client "nobody".'],
    ['--organisation nobody', 'There is no organisation "nobody".'],
  ])('is rejected for %s', async ([flags, message]) => {
    const { code, stdout, stderr } = await run(`request list ${flags}`);
    expect([code === 0, stdout]).toEqual([false, '']);
    expect(stderr).toContain(message);
  });

  test.for<FilterValues>([{}, { organisation: 'acme' }])(
    'has pages that contain each request once: %j',
    async (values) => {
      const since = new Date(Date.now() - 3_600_000).toISOString();
      const source = await requestList.source(deployment, { since, ...values });
      const pages: string[] = [];
      let after: string | undefined;
      do {
        const { entries, next } = await readPage(deployment, source, { after, limit: 2 });
        pages.push(...entries.map(({ request_id = '' }) => request_id));
        after = next;
      } while (after !== undefined);
      const whole = await allOf(readAll(deployment, source));
      expect(pages).toEqual(whole.map(({ request_id }) => request_id));
      expect(pages.length).toBeGreaterThan(2);
    },
  );
});

test('the windows of a range double, without a gap', () => {
  const windows = [...windowsOf({ from: 0, to: 99 }, 10)];
  expect(windows.map(({ from, to }) => [from, to])).toEqual([
    [89, 99],
    [79, 88],
    [59, 78],
    [19, 58],
    [0, 18],
  ]);
});

describe('the page of requests', () => {
  test('links each row to the timeline of its request', async () => {
    const visitor = await enter(await startConsole(deployment));
    const { text } = await visitor.get('/requests?organisation=acme&status=2xx');
    const address = linksIn(text).find((link) =>
      link.startsWith(`/requests/${encodeURIComponent(requestId)}?`),
    );
    const timeline = await visitor.get(`${address}&part=timeline`);
    expect(linksIn(timeline.text)).toEqual(
      expect.arrayContaining([`/clients/${ids.acme}`, `/uploads/${uploadId}`]),
    );
  });

  test('shows how far it searched when the time is up, and continues there', async () => {
    const visitor = await enter(await startConsole({ ...deployment, now: hurriedClock(10_000) }));
    const { text } = await visitor.get('/requests?status=500');
    expect(textOf(text)).toMatch(/The limit of a page was reached, the log was searched back to 2/);
    expect(linksIn(text, 'rel="next"')).toEqual([
      expect.stringMatching(/^\/requests\?status=500&after=\d+%7E$/),
    ]);
  });

  test('leads from a rejected request to the next step', async () => {
    await seedFile(deployment, 'prices', { syncEnabled: false });
    const { headers } = await acme.sync('prices');
    const address = `/requests/${encodeURIComponent(headers.get('apigw-requestid') ?? '')}`;
    const { text } = await (await enter(await startConsole(deployment))).get(`${address}?part=timeline`);
    expect(linksIn(text)).toContain('/files/prices/enable-sync');
  });
});
