import fc from 'fast-check';

/**
 * Returns the violations of an invariant in the past of a history. An empty list means that the invariant is
 * true.
 */
export type Invariant<Past> = (past: Past) => readonly unknown[];

/** Number of histories in a long run: see `test/README.md`. */
const wanted = Number(process.env.HISTORIES ?? 0);

/**
 * The search for a shorter failing history ends before the test times out, because a timeout would hide the
 * failure.
 */
const interruptAfterTimeLimit = Math.max(200_000, 700 * wanted);

/**
 * Checks invariants in random histories. The tests of all invariants use the same histories, so each history
 * runs once for all of them.
 *
 * @param defaults number of histories, unless another number is requested
 * @returns test of an invariant by its name. If it fails, it prints the name, the seed and a short history
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
  // Mutation testing, which requests few histories, records the lines that each test reaches. There, each
  // test runs its own histories.
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
