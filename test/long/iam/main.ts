/**
 * Takes each grant of the stack away in turn and prints what fails without it. Then does so with the grants that some
 * settings add. The same runs in `npm test`.
 *
 *     npm run test:long -- iam
 */
import '../../support/quiet-sdk.ts';
import { type RunningStack, startRunningStack } from '../../support/running-stack.ts';
import { type Removal, removeEachGrant, settingsWithGrants } from './removals.ts';

const removals = await removeFrom({}, []);
await removeFrom(settingsWithGrants, removals);

async function removeFrom(
  context: Readonly<Record<string, string>>,
  known: readonly Removal[],
): Promise<readonly Removal[]> {
  const stack = await startRunningStack({ context });
  try {
    return await printRemovals(stack, known);
  } finally {
    await stack.close();
  }
}

async function printRemovals(stack: RunningStack, known: readonly Removal[]): Promise<readonly Removal[]> {
  const print = ({ grant, failedJob, named }: Removal) =>
    process.stdout.write(`${grant}: ${failedJob ?? 'NOTHING FAILS'}${named ? '' : ' (NOT NAMED)'}\n`);
  const { statements, removals, failing } = await removeEachGrant(stack, print, known);
  const superfluous = removals.filter(({ failedJob, named }) => failedJob === undefined || !named);
  process.stdout.write(`statements: ${statements}\nremovals: ${removals.length}\n`);
  process.stdout.write(`superfluous or not named: ${superfluous.length}\n`);
  for (const problem of failing) {
    process.stdout.write(`fails with every grant there: ${problem}\n`);
  }
  if (superfluous.length + failing.length > 0) {
    process.exitCode = 1;
  }
  return removals;
}
