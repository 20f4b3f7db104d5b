/**
 * Two plug-ins of Stryker: a random sample of the mutants, and a time limit. JavaScript, since the processes
 * that run the tests also load this file. `mutate.ts` sets the variable.
 */
import { createHash } from 'node:crypto';
import { strykerPlugins as runners } from '@stryker-mutator/vitest-runner';

const limits = () => JSON.parse(process.env.MUTATION_LIMITS);

const isCovered = ({ plan, runOptions }) => plan === 'Run' && runOptions.testFilter?.length !== 0;

/** Shuffles the plans of Stryker, and drops those beyond the sample. The order depends only on the seed. */
function keepSample({ mutantPlans: plans }) {
  const { sample, seed } = limits();
  const rank = ({ mutant: { fileName, location, replacement } }) => {
    const text = JSON.stringify([seed, fileName.slice(process.cwd().length), location, replacement]);
    return createHash('sha256').update(text).digest('hex');
  };
  const ranks = new Map(plans.map((plan) => [plan, rank(plan)]));
  plans.sort((one, other) => (ranks.get(one) < ranks.get(other) ? -1 : 1));
  for (const plan of plans.filter(isCovered).slice(sample ?? plans.length)) {
    plans[plans.indexOf(plan)] = { plan: 'EarlyResult', mutant: { ...plan.mutant, status: 'Pending' } };
  }
}

/** Skips tests after the time limit. Stryker counts an error as no result. */
function createRunner(injector) {
  const runner = injector.injectFunction(runners[0].factory);
  const mutantRun = runner.mutantRun.bind(runner);
  runner.mutantRun = async (options) =>
    Date.now() > limits().until ? { status: 'error', errorMessage: 'The time is over' } : mutantRun(options);
  return runner;
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [
  { kind: 'Reporter', name: 'sample', value: { onMutationTestingPlanReady: keepSample } },
  { kind: 'TestRunner', name: 'until', factory: createRunner },
];
