import { describe, expect, it } from 'vitest';
import { problemsOf } from './check-combination.ts';
import { pairsNotMet, pairwiseCombinations } from './combinations.ts';

/** The short form: combinations that meet every pair. `npm run test:long -- settings` tries all 1,024. */
describe('settings together', () => {
  const combinations = pairwiseCombinations();

  it.each(combinations.map((combination) => [JSON.stringify(combination), combination] as const))(
    'make a template that CloudFormation takes: %s',
    (_, combination) => {
      expect(problemsOf(combination)).toEqual([]);
    },
  );

  it('meet in every pair of values', () => {
    expect(pairsNotMet(combinations)).toEqual([]);
    expect(pairsNotMet(combinations.slice(1))).not.toEqual([]);
  });
});
