/**
 * Synthesizes the stack with combinations of the least and the greatest value of each setting, and has each template
 * checked by the CDK's CloudFormation rules: combinations in which any three settings meet in every way, and random ones.
 * All combinations would be millions. `npm test` does so for combinations that meet every pair.
 *
 *     npm run test:long -- settings [--random 100] [--seed N]
 */
import { parseArgs } from 'node:util';
import { seededRandom } from '../uploads/random.ts';
import { problemsOf } from './check-combination.ts';
import { randomCombinations, triplewiseCombinations } from './combinations.ts';

const { values } = parseArgs({
  options: {
    random: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 2 ** 31) },
  },
});
const seed = Number(values.seed);
const say = (line: string) => void process.stdout.write(`${line}\n`);

const random = seededRandom(seed);
const triples = triplewiseCombinations(random);
const others = randomCombinations(Number(values.random), random);
const combinations = [...triples, ...others];
const reportEvery = 16;
let wrong = 0;

say(`seed ${seed}`);
say(`${triples.length} combinations in which any three settings meet, and ${others.length} random ones`);
for (const [index, combination] of combinations.entries()) {
  const problems = problemsOf(combination);
  if (problems.length > 0) {
    wrong += 1;
    say(`${JSON.stringify(combination)}: ${problems.join('; ')}`);
  }
  if ((index + 1) % reportEvery === 0 || index + 1 === combinations.length) {
    say(`${index + 1} of ${combinations.length} combinations, ${wrong} wrong`);
  }
}
process.exitCode = wrong === 0 ? 0 : 1;
