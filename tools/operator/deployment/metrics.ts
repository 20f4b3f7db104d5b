import { cloudWatchClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** A metric of CloudWatch, with the statistic to read. */
export interface MetricQuery {
  readonly namespace: string;
  readonly metric: string;
  readonly dimensions?: Readonly<Record<string, string>>;
  /** Default: `Sum`. */
  readonly statistic?: 'Sum' | 'p95';
}

/** A range of time, in milliseconds since the epoch. */
export interface TimeRange {
  readonly since: number;
  /** End of the range, excluded. */
  readonly until: number;
}

/** Values of metrics by name, one for each period. Undefined: no data in the period. */
export type MetricValues<Name extends string> = Readonly<Record<Name, readonly (number | undefined)[]>>;

/**
 * Reads metrics in one call. CloudWatch charges 0.01 US dollars for 1,000 metrics ("Pricing").
 *
 * @param range whole periods
 */
export async function readMetrics<Name extends string>(
  deployment: Deployment,
  queries: Readonly<Record<Name, MetricQuery>>,
  { since, until }: TimeRange,
  periodSeconds: number,
): Promise<MetricValues<Name>> {
  const names = Object.keys(queries);
  const period = periodSeconds * 1000;
  const length = Math.round((until - since) / period);
  const values = names.map(() => new Array<number | undefined>(length).fill(undefined));
  const client = await cloudWatchClient(deployment);
  const pages = client.paginateGetMetricData({
    StartTime: new Date(since),
    EndTime: new Date(until),
    MetricDataQueries: names.map((name, index) => ({
      Id: `m${index}`,
      MetricStat: { ...metricStatOf(queries[name as Name]), Period: periodSeconds },
    })),
  });
  for await (const { MetricDataResults = [] } of pages) {
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [index, time] of Timestamps.entries()) {
        values[Number(Id.slice(1))]?.splice((time.getTime() - since) / period, 1, Values[index]);
      }
    }
  }
  const byName: Readonly<Record<string, MetricValues<Name>[Name]>> = Object.fromEntries(
    names.map((name, index) => [name, values[index] ?? []]),
  );
  return byName as MetricValues<Name>;
}

function metricStatOf({ namespace, metric, dimensions = {}, statistic = 'Sum' }: MetricQuery) {
  const Dimensions = Object.entries(dimensions).map(([Name, Value]) => ({ Name, Value }));
  return { Metric: { Namespace: namespace, MetricName: metric, Dimensions }, Stat: statistic };
}
