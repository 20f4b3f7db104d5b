import { describe, expect, test } from 'vitest';
import { axisEnd } from '../../../tools/console/components/chart.tsx';
import { ActivityOf } from '../../../tools/console/pages/overview/activity.tsx';
import { Health } from '../../../tools/console/pages/overview/health.tsx';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import type { Activity } from '../../../tools/operator/requests/activity.ts';
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

  test('without uploads leads to the first file and the first client', async () => {
    const { text } = await visitor.get('/overview/latest');
    expect(linksIn(text, 'class="button"')).toEqual(['/files/+create', '/clients/+create']);
  });

  test.for(['/uploads', '/organisations'])('leads to %s, which are empty', async (address) => {
    expect((await visitor.get(address)).text).toContain(`There are no ${address.slice(1)} to show. `);
  });

  test('shows in place of a part why it cannot be read', async () => {
    const { status, text } = await visitor.get('/overview/activity');
    expect(status).toBe(200);
    const [alert] = find(parse(text), 'css=#activity [role="alert"]');
    expect(alert?.textContent).toContain('Stack with id file-sync-test does not exist');
  });

  const [day, hour] = ['?last=24h', '?since=2026-01-01T12:00&until=2026-01-01T13:30'];

  test.for([
    ['', day, '24h'],
    ['?last=30d', '?last=30d', '30d'],
    [hour, hour.replaceAll(':', '%3A'), undefined],
    // The end is not after the start.
    ['?since=2026-01-01&until=2026-01-01', day, '24h'],
  ] as const)('with %s loads parts of that time', async ([query, loaded, last]) => {
    const { text } = await visitor.get(`/overview${query}`);
    const page = parse(text);
    expect(find(page, 'css=#activity')[0]?.getAttribute('hx-get')).toBe(`/overview/activity${loaded}`);
    expect(find(page, 'css=[aria-current=true]')[0]?.textContent).toBe(last);
    const [since, until] = find(page, 'css=input[type=datetime-local]').map((field) =>
      Date.parse(`${field.getAttribute('value')}Z`),
    );
    const length = { '24h': 24, '30d': 720, undefined: 1.5 }[`${last}`];
    expect((until ?? 0) - (since ?? 0)).toBe(length * 3_600_000);
  });
});

const activity: Activity = {
  range: { since: Date.UTC(2026, 0, 1, 12), until: Date.UTC(2026, 0, 1, 13) },
  periodSeconds: 1800,
  values: {
    requests: [1200, 40],
    rejected: [100, undefined],
    failed: [0, 4],
    p95: [undefined, 250.4],
    token: [7, 0],
    sync: [20, 1],
    volumes: [3, 0],
    documents: [undefined, 5],
    tokens: [6, 0],
    urls: [3, 1],
    completed: [2, 1],
    expired: [1000, 0],
    bytes: [2047, 1],
  },
};
const nothing: Readonly<Record<string, readonly undefined[]>> = Object.fromEntries(
  Object.keys(activity.values).map((name) => [name, [undefined, undefined]]),
);
const idle: Activity = { ...activity, values: nothing as Activity['values'] };
const clock = {
  exact: (at: number) => new Date(at + 3_600_000).toISOString().replace('T', ' ').slice(0, 19),
};
const activityOf = (shown: Activity) =>
  render(ActivityOf, { activity: shown, asOf: Date.UTC(2026, 0, 1, 12, 58) }, { clock });
const next = { do: 'check deployment' } as const;
const findings: readonly Finding[] = [
  { check: 'past alarms', state: 'ok', message: 'One came and ended.', isNews: true },
  { check: 'alarms', state: 'ok', message: 'All are quiet.' },
  { check: 'keys', state: 'warning', message: 'They are old.' },
  { check: 'api', state: 'failed', message: 'It is gone.', advice: 'Deploy it.', next },
];

test.for([
  [
    'the activity counts requests, uploads and bytes, in the zone of the reader',
    () => activityOf(activity),
    'As of 13:58, a value for every 30 min',
    'Requests by status 1,240 100 (8.1 %) rejected, 4 (0.3 %) failed',
    '2xx succeeded 1,136 4xx rejected 100 5xx failed 4',
    'Requests by route 36 reached a function',
    'POST /oauth/token 7 POST /v0/files/{fileId}/sync 21 GET /v0/volumes 3 public documents 5',
    'Duration of 95 in 100 requests 250 ms or less',
    'Uploads 3 of 4 URLs, 1,000 expired unused',
    'Bytes 2.0 KiB 683 bytes on average bytes of uploads 2.0 KiB',
    'role=figure[name="Requests by status"][data-kind="bars"][data-columns="1,2,3"]',
    'role=figure[name="Uploads"][data-kind="lines"][data-columns="9,10,11,12"]',
    'role=link[name="Requests of this time"][href="/requests?since=2026-01-01T12%3A00%3A00.000Z&until=2026-01-01T13%3A00%3A00.000Z"]',
    'role=link[name="Rejections by client"][href="/rejections?since=2026-01-01T12%3A00%3A00.000Z"]',
    'role=link[name="Successful requests by client"][href="/usage?since=2026-01-01T12%3A00%3A00.000Z"]',
  ],
  [
    'the activity has its numbers as text, and the requests of each time',
    () => activityOf(activity),
    '2026-01-01 13:00 1100 100 0 7 20 3 0 6 3 2 1000 2047',
    '2026-01-01 13:30 36 0 4 250 0 1 0 5 0 1 1 0 1',
    'css=tr:last-child time[datetime="2026-01-01T12:30:00.000Z"]',
    'role=link[name="2026-01-01 13:30"][href="/requests?since=2026-01-01T12%3A30%3A00.000Z&until=2026-01-01T13%3A00%3A00.000Z"]',
  ],
  [
    'the activity of an idle deployment is explained',
    () => activityOf(idle),
    'Requests by status 0 0 (0.0 %) rejected, 0 (0.0 %) failed',
    'Uploads 0 of 0 URLs, 0 expired unused',
    'Bytes 0 bytes no content arrived',
  ],
  [
    'the health begins with what failed, then what can wait',
    () => render(Health, { findings }),
    'css=div.note.bad',
    '2 things to do api It is gone. Deploy it. Go to the checks keys They are old. past alarms One came and ended. 1 check passed alarms All are quiet.',
    'css=.tag.warning',
    'css=.note > p > .tag.info',
  ],
  [
    'the health is good when every check passed',
    () => render(Health, { findings: findings.slice(0, 2) }),
    'css=div.note.good',
    'All well past alarms One came and ended. 1 check passed alarms All are quiet.',
  ],
] as const)('%s', ([, html, ...parts]) => {
  expect(missingIn(html(), parts)).toEqual([]);
});

const common = [3, 0, 4, 5, 4, 3, 0, 5, 4, 3, 4];

test.for([
  ['a peak is cut', [...common, 21], 8],
  ['a peak of four times the common values is not cut', [...common, 20], undefined],
  ['a few values are never cut', [1, 1, 500], undefined],
  ['no value is not cut', [], undefined],
] as const)('%s', ([, heights, end]) => {
  expect(axisEnd(heights)).toBe(end);
});
