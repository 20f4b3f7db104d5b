import { appendFile } from 'node:fs/promises';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { createClient } from '../../../tools/operator/clients/client.ts';
import { type Activity, rangeOf, readActivity } from '../../../tools/operator/requests/activity.ts';
import { readRefusals } from '../../../tools/operator/requests/refusals.ts';
import { createApiUser } from '../../support/api-user.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';

/** What clients do, and what the metrics and the logs then say. */

let stack: RunningStack;
let activity: Activity;
let clientId: string;

beforeAll(async () => {
  stack = await startRunningStack();
  const { client, newFile, issue, sync, token } = await createApiUser(stack);
  const { client_id, client_secret } = client;
  clientId = client_id;
  const credentials = { grant_type: 'client_credentials', client_id, client_secret };
  const other = await createClient(stack.deployment, { organisationId: 'acme', name: 'Other', scopes: [] });
  const wrongScope = { scope: 'none' };
  const wrong = [
    { client_secret: other.client_secret },
    { grant_type: 'password' },
    wrongScope,
    wrongScope,
    wrongScope,
  ];
  for (const each of wrong) {
    const body = new URLSearchParams({ ...credentials, ...each });
    expect((await fetch(`${stack.baseUrl}/oauth/token`, { method: 'POST', body })).ok).toBe(false);
  }
  const fileId = await newFile();
  for (const body of ['first', 'second!']) {
    await (await issue(fileId)).put(body);
    await stack.eventsSettled();
  }
  await sync('unknown');
  await sync(fileId, 'no token');
  await fetch(`${stack.baseUrl}/v0/volumes`, { headers: { authorization: `Bearer ${token}x` } });
  await stack.eventsSettled();
  activity = await readActivity(stack.deployment, rangeOf('hour', Date.now()));
}, 60_000);
afterAll(() => stack?.close());

const seriesOf = (metric: string) => activity.series.find((series) => series.metric === metric);

describe('the activity of a deployment', () => {
  test('counts tokens, upload URLs and uploads', () => {
    const totals = Object.fromEntries(activity.series.map(({ metric, total }) => [metric, total]));
    expect(totals).toEqual({
      TokensIssued: 1,
      TokensRefused: 5,
      SyncsIssued: 2,
      SyncsRefused: 2,
      UploadsCompleted: 2,
      UploadBytes: 'firstsecond!'.length,
      UploadsExpired: 0,
      Latency: expect.any(Number),
    });
    expect(seriesOf('Latency')?.total).toBeGreaterThan(0);
  });

  test('is a value for each minute of the hour', () => {
    expect(activity.times).toHaveLength(60);
    expect(new Set(activity.series.map(({ values }) => values.length))).toEqual(new Set([60]));
    const counted = seriesOf('TokensRefused')?.values ?? [];
    expect(counted.reduce((sum: number, value) => sum + (value ?? 0), 0)).toBe(5);
    expect(seriesOf('Latency')?.values).toContain(null);
  });
});

describe('the refusals of a deployment', () => {
  const read = (isTimeUp: () => boolean, now = Date.now()) =>
    readRefusals(stack.deployment, rangeOf('hour', now), isTimeUp);

  test('are counted by client and reason, the most frequent first', async () => {
    const { counts, isCutShort } = await read(() => true);
    const client = { client_id: clientId, organisation_id: 'acme' };
    const nobody = { client_id: undefined, organisation_id: undefined };
    expect(counts.slice(0, 2)).toEqual([
      { ...client, reason: 'invalid_scope', count: 3 },
      // Of the URL and of the list of volumes.
      { ...nobody, reason: 'invalid_token', count: 2 },
    ]);
    expect(counts).toHaveLength(5);
    expect(counts).toContainEqual({ ...client, reason: 'wrong_secret', count: 1 });
    expect(counts).toContainEqual({ ...client, reason: 'not_found', count: 1 });
    expect(counts).toContainEqual({ ...nobody, reason: 'unsupported_grant_type', count: 1 });
    expect(isCutShort).toBe(false);
  });

  test('of another time are left out', async () => {
    for (const away of [-7_200_000, 7_200_000]) {
      expect(await read(() => false, Date.now() + away)).toEqual({ counts: [], isCutShort: false });
    }
  });

  test('of more than a page are all counted, unless the time is up', async () => {
    const line = { timestamp: new Date(), message: 'Access token refused', refusal: 'unknown_client' };
    const name = stack.resources.find(({ logicalId }) => logicalId.startsWith('TokenFunction'))?.ref;
    await appendFile(
      join(stack.stateDirectory, 'logs', `${name}.log`),
      `${JSON.stringify(line)}\n`.repeat(10_000),
    );
    const unknown = { reason: 'unknown_client', count: 10_000 };
    expect((await read(() => false)).counts[0]).toMatchObject(unknown);
    const { counts, isCutShort } = await read(() => true);
    expect(counts[0]?.count).toBeLessThan(10_000);
    expect(isCutShort).toBe(true);
  });
});
