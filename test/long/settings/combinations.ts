import { type Configuration, settingNames, settings } from '../../../lib/configuration.ts';
import { rowsOfEveryTriple } from './triples.ts';

/** One value for each setting; undefined where nothing is set. */
export type Combination = { readonly [Key in keyof Configuration]: Configuration[Key] | undefined };

/** Settings that mean nothing without another one. They take the corner of that one. */
const follows: { readonly [Key in keyof Configuration]?: keyof Configuration } = {
  certificateArn: 'domainName',
  hostedZoneId: 'domainName',
};

/** The settings that take their corners freely. */
const keys = settingNames.filter((name) => follows[name] === undefined);

/**
 * As few as can be in which any two settings meet in all four combinations of their corners (Kleitman and Spencer,
 * "Families of k-independent sets"): one with every first corner, and further ones of which each setting takes its
 * second corner in another majority. Two majorities share a combination, and each has one that the other has not.
 */
export function pairwiseCombinations(): readonly Combination[] {
  const [majorities, size] = enoughMajorities();
  const others = Array.from({ length: size }, (_, row) =>
    combination((index) => (((majorities[index] ?? 0) >> row) & 1) === 1),
  );
  return [combination(() => false), ...others];
}

/** Different majorities of as few as can be, one for each setting, as bits; and of how many they are. */
function enoughMajorities(size = 1): readonly [readonly number[], number] {
  const sets = Array.from({ length: 2 ** size }, (_, set) => set);
  const least = sets.filter((set) => countBits(set) === Math.floor(size / 2) + 1);
  return least.length < keys.length ? enoughMajorities(size + 1) : [least, size];
}

/**
 * Combinations in which any three settings meet in all eight combinations of their corners.
 *
 * @param random numbers in [0, 1)
 */
export function triplewiseCombinations(random: () => number): readonly Combination[] {
  return rowsOfEveryTriple(keys.length, random).map((row) => combination((index) => row[index] ?? false));
}

/** Combinations of which each setting has either corner with the same probability. */
export function randomCombinations(count: number, random: () => number): readonly Combination[] {
  return Array.from({ length: count }, () => {
    const row = keys.map(() => random() < 0.5);
    return combination((index) => row[index] ?? false);
  });
}

/** Pairs of settings that do not meet in all four combinations of their corners. */
export function pairsNotMet(combinations: readonly Combination[]): readonly string[] {
  return notMet(combinations, chosen(keys, 2));
}

/** Triples of settings that do not meet in all eight combinations of their corners. */
export function triplesNotMet(combinations: readonly Combination[]): readonly string[] {
  return notMet(combinations, chosen(keys, 3));
}

type Keys = readonly (keyof Configuration)[];

function notMet(combinations: readonly Combination[], groups: readonly Keys[]): readonly string[] {
  const met = (group: Keys) =>
    new Set(combinations.map((row) => group.map((key) => `${row[key]}`).join(' ')));
  return groups.filter((group) => met(group).size !== 2 ** group.length).map((group) => group.join(', '));
}

/** Every choice of so many names, each in the order of the names. */
function chosen(names: Keys, count: number): readonly Keys[] {
  return count === 0
    ? [[]]
    : names.flatMap((name, index) =>
        chosen(names.slice(index + 1), count - 1).map((others) => [name, ...others]),
      );
}

function combination(takesSecond: (index: number) => boolean): Combination {
  const pick = (key: keyof Configuration) =>
    settings[key].ends[takesSecond(keys.indexOf(follows[key] ?? key)) ? 1 : 0];
  return Object.fromEntries(settingNames.map((key) => [key, pick(key)])) as Combination;
}

function countBits(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) + countBits(bits >> 1);
}
