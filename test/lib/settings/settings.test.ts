import { expect, it } from 'vitest';
import { problemsOf } from './check-combination.ts';
import { pairsNotMet, pairwiseCombinations } from './combinations.ts';

const combinations = pairwiseCombinations();

it('any two settings at their ends make a template that CloudFormation takes', () => {
  expect(pairsNotMet(combinations)).toEqual([]);
  expect(pairsNotMet(combinations.slice(1))).not.toEqual([]);
  const wrong = combinations.flatMap((combination) => {
    const problems = problemsOf(combination);
    return problems.length > 0 ? [{ combination, problems }] : [];
  });
  expect(wrong).toEqual([]);
}, 240_000);
