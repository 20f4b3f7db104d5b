/**
 * Plug-ins of Stryker that test only a part of the mutants: a random sample, and none after a time. JavaScript, since
 * the processes that run the tests load this file, too. main.ts sets the variable.
 */
import { createHash } from 'node:crypto';
import { strykerPlugins as runners } from '@stryker-mutator/vitest-runner';

const { sample, seed, until } = JSON.parse(process.env.MUTATION_LIMITS ?? '{}');

/** The order of the sample: random, and the same for a seed. */
function rank({ mutant: { fileName, location, replacement } }) {
  const text = JSON.stringify([seed, fileName.slice(process.cwd().length), location, replacement]);
  return createHash('sha256').update(text).digest('hex');
}

/** Stryker runs the plans that are in the list after this event. */
function keepSample({ mutantPlans: plans }) {
  const isCovered = ({ plan, runOptions }) => plan === 'Run' && runOptions.testFilter?.length !== 0;
  const ranked = plans.filter(isCovered).map((plan) => [rank(plan), plan]);
  const covered = ranked.sort(([one], [other]) => (one < other ? -1 : 1)).map(([, plan]) => plan);
  const left = covered.splice(sample ?? covered.length).map(({ mutant }) => ({
    plan: 'EarlyResult',
    mutant: { ...mutant, status: 'Pending', statusReason: 'not in the sample' },
  }));
  plans.splice(0, plans.length, ...plans.filter((plan) => !isCovered(plan)), ...left, ...covered);
}

function createRunner(injector) {
  const runner = injector.injectFunction(runners[0].factory);
  const { mutantRun } = runner;
  return Object.assign(runner, {
    mutantRun: async (options) =>
      Date.now() > until
        ? { status: 'error', errorMessage: 'not tried: the time is over' }
        : mutantRun.call(runner, options),
  });
}
createRunner.inject = ['$injector'];

export const strykerPlugins = [
  { kind: 'Reporter', name: 'sample', value: { onMutationTestingPlanReady: keepSample } },
  { kind: 'TestRunner', name: 'until', factory: createRunner },
];
