import type { Samples } from './measure.ts';

/** A function, and a peer that does the same with minimal code. */
export interface Comparison {
  readonly ours: string;
  readonly peer: string;
  /**
   * Target ratio: the CPU time of our function, divided by the CPU time of the peer. Absent: there is no
   * target.
   */
  readonly atMost?: number;
}

/** Returns the smallest, the median and the greatest of some values. */
export function spreadOf(values: readonly number[]): readonly [min: number, median: number, max: number] {
  const sorted = values.toSorted((a, b) => a - b);
  const at = (index: number) => sorted[index] ?? Number.NaN;
  const last = sorted.length - 1;
  return [at(0), (at(Math.floor(last / 2)) + at(Math.ceil(last / 2))) / 2, at(last)];
}

/** Returns the ratio of each round, because a temporary slowdown of the machine affects both. */
export function ratiosOf(samples: Samples, { ours, peer }: Comparison): readonly number[] {
  const peers = samples.get(peer) ?? [];
  return (samples.get(ours) ?? []).map((value, round) => value / (peers[round] ?? Number.NaN));
}

/** Prints the values and the ratios. @returns true if each target is reached, by the median of the rounds */
export function report(
  title: string,
  unit: string,
  samples: Samples,
  comparisons: readonly Comparison[],
): boolean {
  const row = (name: string, figures: readonly number[], digits: number, rest: string) =>
    `  ${name.padEnd(32)} ${figures.map((value) => value.toFixed(digits).padStart(8)).join(' ')}  ${rest}`;
  const ratios = comparisons.map(({ ours, peer, atMost }) => {
    const spread = spreadOf(ratiosOf(samples, { ours, peer }));
    const missed = atMost !== undefined && spread[1] > atMost;
    const target = atMost === undefined ? '' : `${atMost.toFixed(2)} ${missed ? 'MISSED' : 'holds'}`;
    return { missed, line: row(`${ours} / ${peer}`, spread, 2, target) };
  });
  const figures = [...samples].map(([name, values]) => row(name, spreadOf(values), 1, unit));
  const head = `\n  ${'ratio'.padEnd(32)}      min   median      max  target`;
  const lines = [title, '', ...figures, head, ...ratios.map(({ line }) => line), '', ''];
  process.stdout.write(lines.join('\n'));
  return !ratios.some(({ missed }) => missed);
}
