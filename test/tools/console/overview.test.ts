import { describe, expect, test } from 'vitest';
import { ActivityOf } from '../../../tools/console/pages/overview/activity.tsx';
import { Health } from '../../../tools/console/pages/overview/health.tsx';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import type { ActivityMetric } from '../../../tools/operator/requests/activity.ts';
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
    console.aws.deny(/^cloudwatch:/);
    const { status, text } = await visitor.get('/overview/activity');
    expect(status).toBe(200);
    const [alert] = find(parse(text), 'css=#activity [role="alert"]');
    expect(alert?.textContent).toContain('cloudwatch:GetMetricData');
  });
});

const activity = new Map<ActivityMetric, readonly number[]>([
  ['TokensIssued', [1, 0]],
  ['SyncsIssued', [1, 2]],
  ['TokensRejected', [1, 0]],
  ['SyncsRejected', [1, 0]],
  ['UploadsCompleted', [2, 0]],
  ['UploadBytes', [2047, 1]],
  ['UploadsExpired', [1000, 0]],
]);
const next = { do: 'check deployment' } as const;
const findings: readonly Finding[] = [
  { check: 'alarms', state: 'ok', message: 'All are quiet.' },
  { check: 'keys', state: 'warning', message: 'They are old.' },
  { check: 'api', state: 'failed', message: 'It is gone.', advice: 'Deploy it.', next },
];

test.for([
  [
    'the activity counts requests, uploads and bytes',
    () => render(ActivityOf, { activity, span: 'week' }),
    'Token and URL requests 4 succeeded, 2 rejected Uploads 2 of 3 URLs, 1,000 expired unused Bytes 2.0 KiB 1.0 KiB on average',
    'role=img[name="Token and URL requests: 4 succeeded, 2 rejected"]',
    'css=path.rejected[d="M0 1V0h.8V1zM1 1V0.5h.8V1z"] + path.succeeded[d="M0 1V0.5h.8V1zM1 1V0.5h.8V1z"]',
    'css=[aria-label^="Uploads: 2 of 3 URLs, 1,000 expired"][viewBox="0 0 2 1"][preserveAspectRatio="none"] path.succeeded[d="M0 1V0h.8V1z"]',
    // A small bar stays visible next to a much larger one.
    'css=[aria-label$=" average"] path.succeeded[d="M0 1V0h.8V1zM1 1V0.9882352941176471h.8V1z"]',
    'role=link[name="Rejections by client"][href="/rejections?since=168h"]',
    'role=link[name="Successful requests by client"][href="/usage?since=168h"]',
  ],
  [
    'the activity of an idle deployment is explained',
    () => render(ActivityOf, { activity: new Map([['UploadBytes' as const, [0, 0]]]), span: 'hour' }),
    '0 succeeded, 0 rejected Uploads 0 of 0 URLs, 0 expired unused Bytes 0 bytes no content arrived',
    'css=.card:not(:has(svg))',
  ],
  [
    'the health begins with what failed, then what can wait',
    () => render(Health, { findings }),
    'css=div.note.bad',
    '2 things to do api It is gone. Deploy it. Go to the checks keys They are old. 1 check passed alarms All are quiet.',
    'css=.tag.warning',
  ],
  [
    'the health is good when every check passed',
    () => render(Health, { findings: findings.slice(0, 1) }),
    'css=div.note.good',
    'All well 1 check passed alarms All are quiet.',
  ],
] as const)('%s', ([, html, ...parts]) => {
  expect(missingIn(html(), parts)).toEqual([]);
});
