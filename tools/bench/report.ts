import type { Samples } from './measure.ts';

/** A function, and a peer that does the same with minimal code. */
export interface Comparison {
  readonly ours: string;
  readonly peer: string;
  /** Target ratio: the CPU time of our function, divided by the CPU time of the peer. */
  readonly atMost: number;
}

/**
 * Returns the median of the ratios of all rounds, of two middle ones the greater. A ratio is of one round,
 * because a temporary slowdown of the machine affects both.
 */
export function ratioOf(samples: Samples, { ours, peer }: Pick<Comparison, 'ours' | 'peer'>): number {
  const peers = samples.get(peer) ?? [];
  const ratios = (samples.get(ours) ?? []).map((value, round) => value / (peers[round] ?? Number.NaN));
  return ratios.toSorted((a, b) => a - b)[Math.floor(ratios.length / 2)] ?? Number.NaN;
}

/** Prints each ratio beside its target. @returns true if each target is reached */
export function report(title: string, samples: Samples, comparisons: readonly Comparison[]): boolean {
  const rows = comparisons.map((comparison) => {
    const { ours, peer, atMost } = comparison;
    const ratio = ratioOf(samples, comparison);
    // A run without a round has no ratio, and reaches no target.
    const missed = !(ratio <= atMost);
    const target = `at most ${atMost.toFixed(2)}: ${missed ? 'MISSED' : 'holds'}`;
    return { missed, line: `  ${`${ours} / ${peer}`.padEnd(24)} ${ratio.toFixed(2)}  ${target}` };
  });
  process.stdout.write([title, ...rows.map(({ line }) => line), '', ''].join('\n'));
  return !rows.some(({ missed }) => missed);
}
