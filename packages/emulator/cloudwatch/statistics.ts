/**
 * A CloudWatch statistic over the values of a metric in one span of time: `Sum`, or a percentile such as
 * `p99`.
 */
type Statistic = (values: readonly number[]) => number;

const plainStatistics: Readonly<Record<string, Statistic>> = {
  Sum: (values) => values.reduce((total, value) => total + value, 0),
  Maximum: (values) => values.reduce((max, value) => Math.max(max, value)),
};

/**
 * Finds a statistic by its name (CloudWatch User Guide, "CloudWatch statistics definitions"). The other
 * statistics of that page are not supported.
 *
 * @returns undefined for an unsupported name
 */
export function parseStatistic(name: string): Statistic | undefined {
  if (Object.hasOwn(plainStatistics, name)) {
    return plainStatistics[name];
  }
  const [, percent] = /^p(\d{1,2}(?:\.\d{1,10})?|100)$/.exec(name) ?? [];
  if (percent === undefined) {
    return undefined;
  }
  return (values) => {
    const rank = Math.max(1, Math.ceil((Number(percent) * values.length) / 100));
    return values.toSorted((a, b) => a - b)[rank - 1] ?? 0;
  };
}
