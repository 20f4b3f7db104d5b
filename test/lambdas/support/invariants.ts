import fc from 'fast-check';
import { expect } from 'vitest';

/** What breaks an invariant in the past that a history left. Nothing: the invariant holds. */
export type Invariant<Past> = (past: Past) => readonly unknown[];

/** How many histories a long run tries: see `test/README.md`. */
const wanted = Number(process.env.HISTORIES ?? 0);

/** Looking for a shorter history that fails ends before the test runs out of time, which would hide the failure. */
const interruptAfterTimeLimit = Math.max(40_000, 700 * wanted);

/**
 * Tries invariants in random histories. The tests of all invariants see the same histories, so a history is lived once
 * for all of them.
 *
 * @param defaults the number of histories, if no other one is wanted
 * @returns the test of an invariant by its name. If it fails, it shows the name, the seed and a short history
 */
export function invariantTest<History, Past>(
  histories: fc.Arbitrary<History>,
  live: (history: History) => Promise<Past>,
  invariants: Readonly<Record<string, Invariant<Past>>>,
  defaults: number,
) {
  const parameters = {
    seed: Math.floor(Math.random() * 2 ** 31),
    numRuns: wanted || defaults,
    interruptAfterTimeLimit,
  };
  // Mutation testing, which wants few histories, notes which lines each test reaches: there, each test lives its own.
  const isShared = parameters.numRuns > 10;
  const lived = new Map<string, Promise<ReadonlyMap<string, readonly unknown[]>>>();
  const brokenIn = async (history: History) => {
    const past = await live(history);
    return new Map(Object.entries(invariants).map(([name, invariant]) => [name, invariant(past)]));
  };
  return (name: string) => {
    const property = fc.asyncProperty(histories, async (history) => {
      const key = JSON.stringify(history);
      const broken = (isShared && lived.get(key)) || brokenIn(history);
      lived.set(key, broken);
      expect((await broken).get(name), name).toEqual([]);
    });
    return fc.assert(property, parameters);
  };
}
