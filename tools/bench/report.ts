import type { Samples } from './measure.ts';

/** A function beside a peer that does the same with the least code. */
export interface Comparison {
  readonly ours: string;
  readonly peer: string;
  /** The ratio to reach: the CPU time of ours divided by that of the peer. Absent: none is set. */
  readonly atMost?: number;
}

/** Smallest, middle and greatest of some values. */
export interface Spread {
  readonly min: number;
  readonly median: number;
  readonly max: number;
}

export function spreadOf(values: readonly number[]): Spread {
  const sorted = [...values].sort((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const last = sorted.length - 1;
  return { min: at(0), median: (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, max: at(last) };
}

/** The ratio within each round, so that what slows the machine for a while slows both. */
export function ratiosOf(samples: Samples, { ours, peer }: Comparison): readonly number[] {
  const peers = samples.get(peer) ?? [];
  return (samples.get(ours) ?? []).map((value, round) => value / (peers[round] ?? Number.NaN));
}

/** @returns whether each target is reached, by the median of the rounds */
export function report(
  title: string,
  unit: string,
  samples: Samples,
  comparisons: readonly Comparison[],
  print: (line: string) => void,
): boolean {
  print(`${title}\n`);
  for (const [name, values] of samples) {
    const { min, median, max } = spreadOf(values);
    print(`  ${name.padEnd(28)} ${[min, median, max].map((value) => figure(value, 1)).join(' ')} ${unit}`);
  }
  print(`\n  ${'ratio'.padEnd(44)}      min   median      max  target`);
  let holds = true;
  for (const comparison of comparisons) {
    const { min, median, max } = spreadOf(ratiosOf(samples, comparison));
    const { ours, peer, atMost } = comparison;
    const missed = atMost !== undefined && median > atMost;
    holds &&= !missed;
    const target = atMost === undefined ? '' : `  ${atMost.toFixed(2)} ${missed ? 'MISSED' : 'holds'}`;
    const figures = [min, median, max].map((value) => figure(value, 2)).join(' ');
    print(`  ${`${ours} / ${peer}`.padEnd(44)} ${figures}${target}`);
  }
  print('');
  return holds;
}

function figure(value: number, digits: number): string {
  return value.toFixed(digits).padStart(8);
}
