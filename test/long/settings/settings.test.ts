import { describe, expect, it } from 'vitest';
import { seededRandom } from '../uploads/random.ts';
import { problemsOf } from './check-combination.ts';
import {
  pairsNotMet,
  pairwiseCombinations,
  randomCombinations,
  triplesNotMet,
  triplewiseCombinations,
} from './combinations.ts';

/** The short form: combinations that meet every pair. `npm run test:long -- settings` meets every triple. */
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

  it('meet in every triple of values in the long form, which the same seed repeats', () => {
    const triples = triplewiseCombinations(seededRandom(1));
    expect(triplesNotMet(triples)).toEqual([]);
    expect(triplesNotMet(triples.slice(1))).not.toEqual([]);
    expect(triples.length).toBeLessThan(64);
    expect(triplewiseCombinations(seededRandom(1))).toEqual(triples);
    expect(randomCombinations(8, seededRandom(1))).toEqual(randomCombinations(8, seededRandom(1)));
    expect(new Set(randomCombinations(8, seededRandom(1)).map((row) => JSON.stringify(row))).size).toBe(8);
  });
});
