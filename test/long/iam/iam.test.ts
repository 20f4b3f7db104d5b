import { afterAll, beforeAll, expect, test } from 'vitest';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { type RemovalReport, removeEachGrant, settingsWithGrants } from './removals.ts';

/** Without settings first, then what the settings add. */
const stacks: RunningStack[] = [];
const reports: RemovalReport[] = [];
beforeAll(async () => {
  for (const context of [{}, settingsWithGrants]) {
    const stack = await startRunningStack({ context });
    stacks.push(stack);
    const known = reports.flatMap(({ removals }) => removals);
    reports.push(await removeEachGrant(stack, () => undefined, known));
  }
}, 600_000);
afterAll(async () => {
  await Promise.all(stacks.map((stack) => stack.close()));
});

test('no permission is missing: with every grant, the service does every job', () => {
  expect(reports.map(({ failing }) => failing)).toEqual([[], []]);
});

test('no permission is superfluous: without any one statement, or action of it, a job fails', () => {
  const [plain, withSettings] = reports;
  expect(plain?.statements).toBeGreaterThan(40);
  expect(plain?.removals.length).toBeGreaterThan(plain?.statements ?? 0);
  const added = withSettings?.removals.map(({ grant }) => grant).join('\n');
  for (const action of ['lambda:UpdateAlias', 'sns:Publish']) {
    expect(added).toContain(action);
  }
  const removals = reports.flatMap((report) => report.removals);
  expect(removals.filter(({ failedJob }) => failedJob === undefined)).toEqual([]);
});

test('the log, or the reason why the stack does not start, names what was denied', () => {
  const removals = reports.flatMap((report) => report.removals);
  expect(removals.filter(({ named }) => !named)).toEqual([]);
});

test('a denied call is logged with the function, the action and the resource', () => {
  const [stack] = stacks;
  const sync = stack?.resources.find(({ logicalId }) => /^SyncFunction/.test(logicalId))?.ref;
  const { FilesTableName } = stack?.deployment.outputs ?? {};
  expect(stack?.awsLog).toContainEqual(
    expect.objectContaining({
      message: 'access denied',
      session: sync,
      action: 'dynamodb:GetItem',
      resource: expect.stringMatching(`table/${FilesTableName}$`),
    }),
  );
});
