/**
 * Synthesizes the stack with every combination of the least and the greatest value of each setting, and has each
 * template checked by the CDK's CloudFormation rules. `npm test` does so for combinations that meet every pair.
 *
 *     npm run test:long -- settings
 */
import { problemsOf } from './check-combination.ts';
import { allCombinations } from './combinations.ts';

const combinations = allCombinations();
const reportEvery = 64;
let wrong = 0;
for (const [index, combination] of combinations.entries()) {
  const problems = problemsOf(combination);
  if (problems.length > 0) {
    wrong += 1;
    process.stdout.write(`${JSON.stringify(combination)}: ${problems.join('; ')}\n`);
  }
  if ((index + 1) % reportEvery === 0) {
    process.stdout.write(`${index + 1} of ${combinations.length} combinations, ${wrong} wrong\n`);
  }
}
process.exitCode = wrong === 0 ? 0 : 1;
