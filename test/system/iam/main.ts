/**
 * Takes each grant of the stack away in turn and prints what fails without it. The same is one of the system tests.
 *
 *     npm run test:system -- iam
 */
import '../../support/quiet-sdk.ts';
import { startRunningStack } from '../../support/running-stack.ts';
import { removeEachGrant, settingsWithGrants } from './removals.ts';

const stack = await startRunningStack({ context: settingsWithGrants });
const { statements, removals, failing } = await removeEachGrant(stack, ({ grant, failedJob, named }) => {
  process.stdout.write(`${grant}: ${failedJob ?? 'NOTHING FAILS'}${named ? '' : ' (NOT NAMED)'}\n`);
});
await stack.close();
const superfluous = removals.filter(({ failedJob, named }) => failedJob === undefined || !named);
process.stdout.write(`statements: ${statements}\nremovals: ${removals.length}\n`);
process.stdout.write(`superfluous or not named: ${superfluous.length}\n`);
for (const problem of failing) {
  process.stdout.write(`fails with every grant there: ${problem}\n`);
}
process.exitCode = superfluous.length + failing.length > 0 ? 1 : 0;
