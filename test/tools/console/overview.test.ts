import { describe, expect, test } from 'vitest';
import { ActivityOf } from '../../../tools/console/pages/overview/activity.tsx';
import { Health } from '../../../tools/console/pages/overview/health.tsx';
import type { Finding } from '../../../tools/operator/doctor/finding.ts';
import type { Activity } from '../../../tools/operator/requests/activity.ts';
import { textOf } from './support/read-page.ts';
import { render } from './support/render.ts';
import { startConsoleWithAws } from './support/serve.ts';
import { enter } from './support/visitor.ts';

const console = await startConsoleWithAws();
const visitor = await enter(console);

describe('the overview', () => {
  test('is where the console begins', async () => {
    expect((await visitor.get('/')).headers.location).toBe('/overview');
  });

  test('says in the place of a part why it cannot be read', async () => {
    console.aws.deny(/^cloudwatch:/);
    const { status, text } = await visitor.get('/overview/activity');
    expect(status).toBe(200);
    expect(text).toMatch(/<div id="activity".*role="alert".*cloudwatch:GetMetricData/);
  });
});

describe('the activity', () => {
  const show = (counts: Readonly<Record<string, readonly number[]>>) => {
    const activity = new Map(Object.entries(counts)) as unknown as Activity;
    return render(ActivityOf, { activity, span: 'week' });
  };

  test('counts requests, uploads and bytes', () => {
    const shown = show({
      TokensIssued: [1, 0],
      SyncsIssued: [1, 2],
      TokensRefused: [1, 0],
      SyncsRefused: [1, 0],
      UploadsCompleted: [2, 0],
      UploadBytes: [2048, 0],
      UploadsExpired: [1000, 0],
    });
    expect(textOf(shown)).toBe(
      'Token and URL requests 4 answered, 2 refused Uploads 2 of 3 URLs, 1,000 expired unused ' +
        'Bytes 2.0 KiB 1.0 KiB on average Who was refused, and why Who gets tokens and upload URLs',
    );
    expect(shown).toContain('aria-label="Token and URL requests: 4 answered, 2 refused"');
    expect(shown).toContain('<path class="refused" d="M0 1V0h.8V1zM1 1V0.5h.8V1z">');
    expect(shown).toContain('<path class="answered" d="M0 1V0.5h.8V1zM1 1V0.5h.8V1z">');
    expect(shown.match(/<path class="answered" d="M0 1V0h.8V1z">/g)).toHaveLength(2);
    expect(shown).toContain('href="/refusals?since=168h"');
    expect(shown).toContain('href="/usage?since=168h"');
  });

  test('says when nothing arrived', () => {
    expect(textOf(show({}))).toContain('Bytes 0 bytes nothing arrived');
  });
});

describe('the health', () => {
  const finding = (state: Finding['state'], more: Partial<Finding> = {}): Finding => ({
    check: state,
    state,
    message: `It is ${state}.`,
    ...more,
  });
  const show = (...findings: readonly Finding[]) => render(Health, { findings });

  test('is good when every check passed', () => {
    const shown = show(finding('ok'), finding('ok'));
    expect(shown).toContain('<div class="note good">');
    expect(textOf(shown)).toBe('All well 2 checks passed ok It is ok. ok It is ok.');
  });

  test('begins with what failed, then what can wait, with what to do', () => {
    const next = { do: 'check deployment' } as const;
    const failed = finding('failed', { advice: 'Mend it.', next });
    const shown = show(finding('ok'), finding('warning'), failed);
    expect(shown).toContain('<div class="note bad">');
    expect(textOf(shown)).toBe(
      '2 things to do failed It is failed. Mend it. Go to the checks warning It is warning. 1 check passed ok It is ok.',
    );
    expect(shown).toContain('<span class="tag warning">warning</span>');
  });
});
