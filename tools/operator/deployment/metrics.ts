import { cloudWatchClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** A range of time, in milliseconds since the epoch. */
export interface TimeRange {
  readonly since: number;
  /** End of the range, excluded. */
  readonly until: number;
}

/** A metric of CloudWatch, with the statistic to read. */
export type MetricQuery = ReturnType<typeof metricOf>;

export function metricOf(
  Namespace: string,
  MetricName: string,
  dimensions: Readonly<Record<string, string>> = {},
  Stat: 'Sum' | 'p95' = 'Sum',
) {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return { Metric: { Namespace, MetricName, Dimensions }, Stat };
}

/**
 * Reads metrics in one call, in whole periods that contain a range. CloudWatch charges 0.01 US dollars for
 * 1,000 metrics ("Pricing"), and shows an event about a minute later.
 *
 * @param queries metrics by name: a lowercase letter, then letters and digits
 * @returns a value for each period, 0 without data
 */
export async function readMetrics<Name extends string>(
  deployment: Deployment,
  queries: Readonly<Record<Name, MetricQuery>>,
  range: TimeRange,
  periodSeconds: number,
) {
  const period = periodSeconds * 1000;
  const since = Math.floor(range.since / period) * period;
  const until = Math.ceil(range.until / period) * period;
  const entries = Object.entries<MetricQuery>(queries);
  const values: Record<string, number[]> = Object.fromEntries(
    entries.map(([name]) => [name, new Array((until - since) / period).fill(0)]),
  );
  const client = await cloudWatchClient(deployment);
  const pages = client.paginateGetMetricData({
    StartTime: new Date(since),
    EndTime: new Date(until),
    MetricDataQueries: entries.map(([Id, query]) => ({
      Id,
      MetricStat: { ...query, Period: periodSeconds },
    })),
  });
  for await (const { MetricDataResults = [] } of pages) {
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [index, time] of Timestamps.entries()) {
        values[Id]?.splice((time.getTime() - since) / period, 1, Values[index] ?? 0);
      }
    }
  }
  return { since, until, period, values: values as Record<Name, readonly number[]> };
}

export function sumOf(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
