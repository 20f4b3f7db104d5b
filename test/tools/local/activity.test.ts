import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type Activity, rangeOf, readActivity } from '../../../tools/operator/activity.ts';
import { cancelUpload } from '../../../tools/operator/cancel-upload.ts';
import { createApiUser } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** What clients do, and what the metrics then say. */

let stack: RunningStack;
let activity: Activity;

beforeAll(async () => {
  stack = await startRunningStack();
  const { client, newFile, issue, sync } = await createApiUser(stack);
  const { client_id, client_secret } = client;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  for (const wrong of [{ client_secret: client_secret.replace(/.$/, '') }, { grant_type: 'password' }]) {
    const body = new URLSearchParams({ ...credentials, ...wrong });
    expect((await fetch(`${stack.baseUrl}/oauth/token`, { method: 'POST', body })).ok).toBe(false);
  }
  const fileId = await newFile();
  for (const body of ['first', 'second!']) {
    await (await issue(fileId)).put(body);
    await stack.eventsSettled();
  }
  await cancelUpload(stack.deployment, (await issue(fileId)).uploadId);
  await sync('unknown');
  await sync(fileId, 'no token');
  await fetch(`${stack.baseUrl}/nowhere`);
  await stack.eventsSettled();
  activity = await readActivity(stack.deployment, rangeOf('hour', Date.now()));
}, 60_000);
afterAll(() => stack?.close());

/** Totals of sums, by `metric` or `metric reason`; those of reasons that nobody was given are left out. */
function totals(): Record<string, number | null> {
  const shown = activity.series.filter(({ reason, total }) => reason === undefined || total !== 0);
  return Object.fromEntries(
    shown
      .filter(({ statistic }) => statistic === 'Sum')
      .map(({ metric, reason, total }) => [reason === undefined ? metric : `${metric} ${reason}`, total]),
  );
}

describe('the activity of a deployment', () => {
  test('counts tokens, upload URLs and uploads, and refusals by reason', () => {
    expect(totals()).toEqual({
      TokensIssued: 1,
      TokensRefused: 2,
      'TokensRefused malformed_credentials': 1,
      'TokensRefused unsupported_grant_type': 1,
      SyncsIssued: 3,
      SyncsRefused: 2,
      'SyncsRefused not_found': 1,
      'SyncsRefused invalid_token': 1,
      UploadsCompleted: 2,
      UploadBytes: 'firstsecond!'.length,
      UploadsDuplicate: 0,
      UploadsSuperseded: 1,
      UploadsCancelled: 1,
      UploadsDiscarded: 0,
      UploadsReconciled: 0,
      UploadsExpired: 0,
      // Three tokens, five syncs and a path that does not exist.
      Count: 9,
      '4xx': 5,
      '5xx': 0,
    });
  });

  test('has times of uploads and answers', () => {
    const found = (metric: string) => activity.series.find((series) => series.metric === metric)?.total;
    expect(found('UploadTime')).toBeGreaterThanOrEqual(0);
    expect(found('Latency')).toBeGreaterThan(0);
  });

  test('is a value for each minute of the hour', () => {
    expect(activity.times).toHaveLength(60);
    expect(new Set(activity.series.map(({ values }) => values.length))).toEqual(new Set([60]));
    const counted = activity.series.find(({ metric }) => metric === 'Count')?.values ?? [];
    expect(counted.reduce((sum: number, value) => sum + (value ?? 0), 0)).toBe(9);
    expect(activity.series.find(({ metric }) => metric === 'Latency')?.values).toContain(null);
  });
});
