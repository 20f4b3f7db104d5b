import { ActivityOf } from '../../../tools/console/pages/overview/activity.tsx';
import { Health } from '../../../tools/console/pages/overview/health.tsx';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import { type Activity, activityMetrics } from '../../../tools/operator/requests/activity.ts';
import { find, linksIn, missingIn, parse } from './support/read-page.ts';
import { render } from './support/render.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);

describe('the overview', () => {
  test('is where the console begins', async () => {
    expect((await visitor.get('/')).headers.location).toBe('/overview');
  });

  test.for([
    ['/organisations', ['/files/+create', '/clients/+create']],
    ['/clients', ['/clients/+create']],
    ['/files', ['/files/+create']],
  ] as const)('an empty %s leads to the first client or file', async ([address, links]) => {
    const { text } = await visitor.get(address);
    expect(linksIn(text, 'class="button"')).toEqual(links);
  });

  test('shows in place of a part why it cannot be read', async () => {
    const { status, text } = await visitor.get('/overview/activity');
    expect(status).toBe(200);
    const [alert] = find(parse(text), 'css=#activity [role="alert"]');
    expect(alert?.textContent).toContain('Stack with id file-sync-test does not exist');
  });

  test.for([
    ['', '?since=24h', '24h'],
    ['?since=30d', '?since=30d', '30d'],
    ['?since=2026-01-01&until=2026-01-02', '?since=2026-01-01&until=2026-01-02', undefined],
  ] as const)('with %s loads parts of that time', async ([query, loaded, last]) => {
    const page = parse((await visitor.get(`/overview${query}`)).text);
    expect(find(page, 'css=#activity')[0]?.getAttribute('hx-get')).toBe(`/overview/activity${loaded}`);
    expect(find(page, 'css=[aria-current=true]')[0]?.textContent).toBe(last);
  });

  test('explains a time that ends before it begins', async () => {
    const { text } = await visitor.get('/overview/activity?since=2026-01-02&until=2026-01-01');
    expect(text).toContain('must be before');
  });
});

const activity: Activity = {
  since: Date.UTC(2026, 0, 1, 12),
  until: Date.UTC(2026, 0, 1, 13),
  period: 1_800_000,
  values: Object.fromEntries(
    Object.keys(activityMetrics).map((name, index) => [name, [1000 + index, 2 * index]]),
  ) as unknown as Activity['values'],
};
const clock = {
  zone: 'Etc/GMT-1',
  exact: (at: number) => new Date(at + 3_600_000).toISOString().replace('T', ' ').slice(0, 19),
};
const activityOf = () => render(ActivityOf, { activity, asOf: Date.UTC(2026, 0, 1, 12, 58) }, { clock });
const next = { do: 'check deployment' } as const;
const findings: readonly Finding[] = [
  { check: 'past alarms', state: 'news', message: 'One came.' },
  { check: 'alarms', state: 'ok', message: 'All are quiet.' },
  { check: 'keys', state: 'warning', message: 'They are old.' },
  { check: 'api', state: 'failed', message: 'It is gone.', advice: 'Deploy it.', next },
];

test.for([
  [
    'the activity has a chart of each kind of metric, with its totals',
    activityOf,
    'As of 13:58, a value for each 30 min',
    'Requests by status succeeded (2xx): 1,000; rejected (4xx): 1,003; failed (5xx): 1,006',
    'POST /oauth/token: 1,009; POST /v0/files/{fileId}/sync: 1,012; GET /v0/volumes: 1,015; public documents: 1,018',
    'Duration of requests p95 of durations: at most 1,007 ms',
    'Uploads URLs issued: 1,027; uploads completed: 1,030; URLs expired unused: 1,033; tokens issued: 1,024',
    'Bytes of uploads content: 1.0 KiB',
    'role=figure[name="Requests by status"][data-metrics="succeeded rejected failed"]',
    'css=[data-activity*="Etc/GMT-1"]',
    'role=link[name="Requests of this time"][href="/requests?since=2026-01-01T12%3A00%3A00.000Z&until=2026-01-01T13%3A00%3A00.000Z"]',
    'role=link[name="Requests by client"][href="/requests/count?since=2026-01-01T12%3A00%3A00.000Z&until=2026-01-01T13%3A00%3A00.000Z"]',
  ],
  [
    'the activity has its numbers as text, in the zone of the reader',
    activityOf,
    '2026-01-01 13:30 0 2 4 6 8 10 12 14 ms 18 20 22 16 24 bytes',
    'role=link[name="2026-01-01 13:30"][href="/requests?since=2026-01-01T12%3A30%3A00.000Z&until=2026-01-01T13%3A00%3A00.000Z"]',
  ],
  [
    'the health begins with what failed, then what can wait',
    () => render(Health, { findings }),
    'css=div.note.bad',
    '2 things to do api It is gone. Deploy it. Go to the checks keys They are old. past alarms One came. 1 check passed alarms All are quiet.',
    'css=.tag.warning',
    'css=.note > p > .tag.info',
  ],
  [
    'the health is good when every check passed',
    () => render(Health, { findings: findings.slice(0, 2) }),
    'css=div.note.good',
    'All well past alarms One came. 1 check passed alarms All are quiet.',
  ],
] as const)('%s', ([, html, ...parts]) => {
  expect(missingIn(html(), parts)).toEqual([]);
});
