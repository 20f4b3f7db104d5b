import { beforeAll, expect, test } from 'vitest';
import { type FaultCase, type FaultsResult, runFaultsSoak } from './faults-soak.ts';

/** One step fails and those around it work, so that an error that is swallowed there goes on to do harm. */
const slow: readonly FaultCase[] = [
  { service: 'dynamodb', fault: 'slow' },
  { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName', fault: 'throttling' },
];
const others: readonly FaultCase[] = [
  { service: 'dynamodb', operation: 'GetItem', fault: 'failing' },
  { service: 'dynamodb', operation: 'PutItem', fault: 'failing' },
  { service: 'secretsmanager', fault: 'garbage' },
  { service: 'secretsmanager', fault: 'stalled' },
  { service: 'sts', fault: 'throttling' },
  { service: 's3', fault: 'failing' },
];

let results: readonly [FaultsResult, FaultsResult];
beforeAll(async () => {
  const run = (cases: readonly FaultCase[]) =>
    runFaultsSoak({ cases, clients: 2, rounds: 1, report: () => undefined });
  // Two stacks at the same time, since one waits for AWS most of the time.
  results = await Promise.all([run(slow), run(others)]);
}, 300_000);

test('clients get the contract body for 500 and nothing else, in time, and then all works again without a restart', () => {
  for (const { violations, answered200, answered500, requests } of results) {
    expect(violations).toEqual([]);
    expect(answered200 + answered500).toBe(requests);
  }
});

test('an endpoint fails when what it needs does, and no other', () => {
  const keyUsers = ['key set', 'sync', 'token', 'volumes'];
  const failed = results.flatMap(({ met }) => met.map((one) => [one.name, ...one.failed]));
  expect(failed).toEqual([
    ['dynamodb slow', 'sync', 'token'],
    ['dynamodb UpdateItem UploadsTableName throttling'],
    ['dynamodb GetItem failing', 'sync', 'token'],
    ['dynamodb PutItem failing', 'sync'],
    ['secretsmanager garbage', ...keyUsers],
    ['secretsmanager stalled', ...keyUsers],
    ['sts throttling', 'sync'],
    ['s3 failing'],
  ]);
});

test('an event that could not be recorded is kept, and recorded by a replay', () => {
  const replayed = results.flatMap(({ met }) => met.map((one) => [one.name, one.replayed]));
  // Each of the two clients stores two uploads, and a third one when an upload URL can be issued.
  expect(replayed).toEqual([
    ['dynamodb slow', 4],
    ['dynamodb UpdateItem UploadsTableName throttling', 6],
    ['dynamodb GetItem failing', 4],
    ['dynamodb PutItem failing', 0],
    ['secretsmanager garbage', 0],
    ['secretsmanager stalled', 0],
    ['sts throttling', 0],
    // Every upload asks S3 which version came first.
    ['s3 failing', 6],
  ]);
});

test('uploads that arrived meanwhile are recorded, and no other is', () => {
  expect(results.map(({ stored }) => stored)).toEqual([10, 26]);
  expect(results.map(({ withoutUrl }) => withoutUrl)).toEqual([0, 0]);
});

test('no call of AWS is tried more than three times', () => {
  for (const { mostAttempts } of results) {
    expect(mostAttempts).toBe(3);
  }
});
