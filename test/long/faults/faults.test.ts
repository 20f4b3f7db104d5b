import { beforeAll, expect, test } from 'vitest';
import { type FaultsResult, longestAnswer, runFaultsSoak } from './faults-soak.ts';

let result: FaultsResult;
beforeAll(async () => {
  result = await runFaultsSoak({
    cases: [
      { service: 'dynamodb', fault: 'slow' },
      // One step fails and those around it work, so that an error that is swallowed there goes on to do harm.
      { service: 'dynamodb', operation: 'GetItem', fault: 'failing' },
      { service: 'dynamodb', operation: 'PutItem', fault: 'failing' },
      { service: 'dynamodb', operation: 'UpdateItem', table: 'UploadsTableName', fault: 'throttling' },
      { service: 'secretsmanager', fault: 'garbage' },
      { service: 'secretsmanager', fault: 'stalled' },
      { service: 'sts', fault: 'throttling' },
      { service: 's3', fault: 'failing' },
    ],
    clients: 2,
    rounds: 1,
    report: () => undefined,
  });
}, 300_000);

test('clients get the contract body for 500 and nothing else, in time, and then all works again without a restart', () => {
  expect(result.violations).toEqual([]);
  expect(result.faults).toBe(8);
  expect(result.answered200 + result.answered500).toBe(result.requests);
  expect(result.answered500).toBeGreaterThan(15);
  expect(result.slowest).toBeLessThan(longestAnswer);
});

test('uploads that arrived meanwhile are recorded, and no other is', () => {
  expect(result.stored).toBeGreaterThanOrEqual(28);
  expect(result.withoutUrl).toBe(0);
});

test('no call of AWS is tried more than three times', () => {
  expect(result.mostAttempts).toBe(3);
});
