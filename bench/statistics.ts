/** The middle of the values; of an even number of them, the mean of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  const middle = Math.floor(sorted.length / 2);
  const upper = sorted[middle] ?? Number.NaN;
  return sorted.length % 2 === 1 ? upper : ((sorted[middle - 1] ?? Number.NaN) + upper) / 2;
}

/** From where to where a figure may lie. */
export interface Interval {
  readonly low: number;
  readonly high: number;
}

const redraws = 2_000;

/**
 * The 95 % interval of the median, by the bootstrap: the median of the samples, drawn again with replacement, many
 * times. It is what a run says about its own noise.
 *
 * @param random returns a number from 0 to 1, like Math.random
 */
export function medianInterval(samples: readonly number[], random: () => number): Interval {
  const medians = Array.from({ length: redraws }, () =>
    median(samples.map(() => samples[Math.floor(random() * samples.length)] ?? Number.NaN)),
  ).sort((a, b) => a - b);
  const at = (share: number) => medians[Math.floor(share * (redraws - 1))] ?? Number.NaN;
  return { low: at(0.025), high: at(0.975) };
}
