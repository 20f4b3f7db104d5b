import { unusedPermissions } from '../../lib/releases.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { removeEachGrant } from './removals.ts';

const stack = await useRunningStack();
const report = await removeEachGrant(stack);

test('no permission is missing: with every grant, the service does every job', () => {
  expect(report.failing).toEqual([]);
});

test('without any one statement, or action of it, a job fails', () => {
  expect(report.removals.length).toBeGreaterThan(80);
  const unused = report.removals.filter(({ failedJob }) => failedJob === undefined);
  const permissions = unused.map(({ grant }) => grant.replace(/^(\w+Role)DefaultPolicy.* allow/, '<$1>'));
  expect(permissions.sort()).toEqual(unusedPermissions.map((text) => text.replace(/ on .*/, '')).sort());
});

test('the log, or the reason of a failed start, names the denied action', () => {
  expect(report.removals.filter(({ named, failedJob }) => failedJob && !named)).toEqual([]);
});
