import { median } from './statistics.ts';

/** One of the things that are compared: its name, and a function that takes one sample in milliseconds. */
export interface Contestant {
  readonly name: string;
  readonly sample: () => Promise<number>;
}

export interface Comparison {
  readonly name: string;
  /** Median of the samples, in milliseconds. */
  readonly median: number;
  /** Median, over all rounds, of this contestant's sample divided by the first contestant's sample of the round. */
  readonly ratio: number;
}

/**
 * Takes samples of all contestants in turn (A B C A B C …), and compares them within each round. So when the machine
 * slows down, it slows all of them. Ratios are to the first contestant.
 */
export async function compare(
  contestants: readonly Contestant[],
  rounds: number,
): Promise<readonly Comparison[]> {
  const samples = contestants.map((): number[] => []);
  for (let round = -1; round < rounds; round += 1) {
    for (const [index, contestant] of contestants.entries()) {
      const value = await contestant.sample();
      // Round -1 fills caches and is not counted.
      if (round >= 0) {
        samples[index]?.push(value);
      }
    }
  }
  const yardstick = samples[0] ?? [];
  return contestants.map(({ name }, index) => {
    const own = samples[index] ?? [];
    return {
      name,
      median: median(own),
      ratio: median(own.map((value, round) => value / (yardstick[round] ?? Number.NaN))),
    };
  });
}

/** Prints one row for each contestant: its name, its median, and its ratio to the first. */
export function printComparison(title: string, rows: readonly Comparison[]): void {
  const width = Math.max(...rows.map((row) => row.name.length));
  process.stdout.write(`${title}\n`);
  for (const row of rows) {
    const milliseconds = row.median.toFixed(row.median < 10 ? 3 : 1).padStart(9);
    process.stdout.write(`  ${row.name.padEnd(width)}  ${milliseconds} ms  x${row.ratio.toFixed(2)}\n`);
  }
}
