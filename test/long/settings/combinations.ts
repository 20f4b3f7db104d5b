import { type Configuration, settingNames, settings } from '../../../lib/configuration.ts';

/** One value for each setting; undefined where nothing is set. */
export type Combination = { readonly [Key in keyof Configuration]: Configuration[Key] | undefined };

const keys = settingNames;

/** Rows of an orthogonal array: any two settings meet in all four combinations of their corners. */
export function pairwiseCombinations(): readonly Combination[] {
  return Array.from({ length: 16 }, (_, row) => combination((index) => parity(row & (index + 1)) === 1));
}

/** Every combination of the corners. */
export function allCombinations(): readonly Combination[] {
  return Array.from({ length: 2 ** keys.length }, (_, row) =>
    combination((index) => ((row >> index) & 1) === 1),
  );
}

/** Pairs of settings that do not meet in all four combinations of their corners. */
export function pairsNotMet(combinations: readonly Combination[]): readonly string[] {
  const pairs = keys.flatMap((first, index) =>
    keys.slice(index + 1).map((second) => [first, second] as const),
  );
  return pairs
    .filter(
      ([first, second]) => new Set(combinations.map((row) => `${row[first]} ${row[second]}`)).size !== 4,
    )
    .map((pair) => pair.join(' and '));
}

function combination(takesSecond: (index: number) => boolean): Combination {
  const pick = (key: (typeof keys)[number]) => settings[key].ends[takesSecond(keys.indexOf(key)) ? 1 : 0];
  return Object.fromEntries(keys.map((key) => [key, pick(key)])) as Combination;
}

function parity(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) ^ parity(bits >> 1);
}
