import { expect, test } from 'vitest';
import { rolePermissions } from '../../lib/policies.ts';
import { unusedPermissions } from '../../lib/releases.ts';
import { synthesized } from '../../support/synthesized.ts';
import { useRunningStack } from '../../support/use-running-stack.ts';
import { removeEachGrant } from './removals.ts';

const stack = await useRunningStack();
const report = await removeEachGrant(stack);

test('no permission is missing: with every grant, the service does every job', () => {
  expect(report.failing).toEqual([]);
});

const needed = report.removals.filter(({ failedJob }) => failedJob !== undefined);

test('without any one statement, or action of it, a job fails', () => {
  expect(report.removals.length).toBeGreaterThan(80);
  const texts = new Map(rolePermissions(synthesized().document).map(({ grant, text }) => [grant, text]));
  const unneeded = report.removals.filter((removal) => !needed.includes(removal));
  expect(unneeded.map(({ grant }) => texts.get(grant) ?? grant)).toEqual(unusedPermissions);
});

test('the log, or the reason of a failed start, names the denied action', () => {
  expect(needed.filter(({ named }) => !named)).toEqual([]);
});
