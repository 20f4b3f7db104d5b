/** What is kept of the values of one metric in one stretch of time: enough for every statistic. */
export interface Summary {
  count: number;
  sum: number;
  min: number;
  max: number;
  /** How many values are in each bin, by the number of the bin. Absent while all values are the same. */
  bins?: Record<string, number>;
}

/** Each bin is this much wider than the one before, so that a percentile is off by less than one percent. */
const growth = Math.log(1.02);

/** Adds a value to a summary, which is changed. @returns the summary, or a new one where there was none */
export function addValue(summary: Summary | undefined, value: number): Summary {
  if (summary === undefined) {
    return { count: 1, sum: value, min: value, max: value };
  }
  if (summary.bins === undefined && value !== summary.min) {
    summary.bins = { ...binsOf(summary) };
  }
  if (summary.bins !== undefined) {
    const bin = binOf(value);
    summary.bins[bin] = (summary.bins[bin] ?? 0) + 1;
  }
  summary.count += 1;
  summary.sum += value;
  summary.min = Math.min(summary.min, value);
  summary.max = Math.max(summary.max, value);
  return summary;
}

/** Joins two summaries. Neither is changed. */
export function mergeSummaries(one: Summary, other: Summary): Summary {
  const min = Math.min(one.min, other.min);
  const max = Math.max(one.max, other.max);
  const joined = { count: one.count + other.count, sum: one.sum + other.sum, min, max };
  if (min === max) {
    return joined;
  }
  const bins = { ...binsOf(one) };
  for (const [bin, count] of Object.entries(binsOf(other))) {
    bins[bin] = (bins[bin] ?? 0) + count;
  }
  return { ...joined, bins };
}

function binsOf({ bins, count, min }: Summary): Readonly<Record<string, number>> {
  return bins ?? { [binOf(min)]: count };
}

/** Zero has a bin of its own. The bins of negative values mirror those of positive ones. */
function binOf(value: number): string {
  if (value === 0) {
    return 'zero';
  }
  const index = Math.ceil(Math.log(Math.abs(value)) / growth);
  return value > 0 ? `+${index}` : `-${index}`;
}

/** The middle of a bin. */
function middleOf(bin: string): number {
  if (bin === 'zero') {
    return 0;
  }
  const size = Math.exp((Number(bin.slice(1)) - 0.5) * growth);
  return bin.startsWith('+') ? size : -size;
}

/** A statistic of CloudWatch: `Sum`, or a percentile such as `p99` or `p99.9`. */
export type Statistic = (summary: Summary) => number;

const plainStatistics: Readonly<Record<string, Statistic>> = {
  SampleCount: ({ count }) => count,
  Sum: ({ sum }) => sum,
  Average: ({ sum, count }) => sum / count,
  Minimum: ({ min }) => min,
  Maximum: ({ max }) => max,
};

/**
 * Finds a statistic by its name (CloudWatch User Guide, "CloudWatch statistics definitions"). Trimmed means and the
 * other statistics of that page are not supported.
 *
 * @returns undefined for a name that is not supported
 */
export function parseStatistic(name: string): Statistic | undefined {
  if (Object.hasOwn(plainStatistics, name)) {
    return plainStatistics[name];
  }
  const [, percent] = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/.exec(name) ?? [];
  return percent === undefined ? undefined : (summary) => percentile(summary, Number(percent));
}

function percentile({ count, min, max, bins }: Summary, percent: number): number {
  const wanted = Math.max(1, Math.ceil((percent / 100) * count));
  if (bins === undefined || wanted >= count) {
    return max;
  }
  const sorted = Object.entries(bins)
    .map(([bin, size]) => ({ value: middleOf(bin), size }))
    .toSorted((a, b) => a.value - b.value);
  let seen = 0;
  for (const { value, size } of sorted) {
    seen += size;
    if (seen >= wanted) {
      return Math.min(max, Math.max(min, value));
    }
  }
  return max;
}
