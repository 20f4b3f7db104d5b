import { type Configuration, settingNames, settings } from '../../../lib/configuration.ts';

/** One value for each setting; undefined where nothing is set. */
export type Combination = { readonly [Key in keyof Configuration]: Configuration[Key] | undefined };

/** Settings that mean nothing without another one. They take the corner of that one. */
const follows: { readonly [Key in keyof Configuration]?: keyof Configuration } = {
  certificateArn: 'domainName',
  hostedZoneId: 'domainName',
};

/** The settings that take their corners freely. */
const keys = settingNames.filter((name) => follows[name] === undefined && name !== 'monitoring');

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

/** Pairs of settings that do not meet in all four combinations of their corners. */
export function pairsNotMet(combinations: readonly Combination[]): readonly string[] {
  const pairs = keys.flatMap((one, index) => keys.slice(index + 1).map((other) => [one, other] as const));
  const met = ([one, other]: (typeof pairs)[number]) =>
    new Set(combinations.map((row) => `${row[one]} ${row[other]}`)).size;
  return pairs.filter((pair) => met(pair) !== 4).map((pair) => pair.join(', '));
}

function combination(takesSecond: (index: number) => boolean): Combination {
  const pick = (key: keyof Configuration) =>
    settings[key].ends[takesSecond(keys.indexOf(follows[key] ?? key)) ? 1 : 0];
  const picked = Object.fromEntries(settingNames.map((key) => [key, pick(key)])) as Combination;
  // Without monitoring, an address for alarms is refused.
  const hasTarget = picked.alarmEmail !== undefined || picked.alarmTopicArn !== undefined;
  return { ...picked, monitoring: hasTarget ? 'full' : 'none' };
}

function countBits(bits: number): number {
  return bits === 0 ? 0 : (bits & 1) + countBits(bits >> 1);
}
