import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { type RemovalReport, removeEachGrant, settingsWithGrants } from './removals.ts';

let stack: RunningStack;
let report: RemovalReport;
beforeAll(async () => {
  stack = await startRunningStack({ context: settingsWithGrants });
  report = await removeEachGrant(stack);
}, 600_000);
afterAll(() => stack?.close());

test('no permission is missing: with every grant, the service does every job', () => {
  expect(report.failing).toEqual([]);
});

test('no permission is superfluous: without any one statement, or action of it, a job fails', () => {
  expect(report.removals.length).toBeGreaterThan(80);
  expect(report.removals.filter(({ failedJob }) => failedJob === undefined)).toEqual([]);
});

test('the log, or the reason why the stack does not start, names what was denied', () => {
  expect(report.removals.filter(({ named }) => !named)).toEqual([]);
});
