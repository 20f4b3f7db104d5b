import { cloudWatchClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { listStackResources } from '../deployment/stack-resources.ts';
import { activitySources, type SeriesSource } from './activity-series.ts';

/** The time to look at, in whole periods. CloudWatch counts the periods from the beginning of the range. */
export interface ActivityRange {
  readonly since: Date;
  readonly until: Date;
  /** Length of one value, in seconds: a multiple of 60. */
  readonly periodSeconds: number;
}

/** One metric over time. */
export interface ActivitySeries extends Pick<SeriesSource, 'metric' | 'statistic'> {
  /** The total of the whole time. For a percentile, the greatest value. Null when there is no value. */
  readonly total: number | null;
  /** One value for each of {@link Activity.times}. Null: nothing was measured. A sum then shows 0. */
  readonly values: readonly (number | null)[];
}

/** What happened in a deployment. */
export interface Activity {
  /** Milliseconds since the epoch. */
  readonly until: number;
  /** When each value begins. */
  readonly times: readonly number[];
  readonly series: readonly ActivitySeries[];
}

/** The times that people choose, and a period for each: about fifty periods make a readable plot. */
export const activitySpans = {
  hour: { seconds: 3600, periodSeconds: 60 },
  day: { seconds: 86_400, periodSeconds: 1800 },
  week: { seconds: 604_800, periodSeconds: 10_800 },
} as const;

export type ActivitySpan = keyof typeof activitySpans;

/** The last hour, day or week, including the period that has not ended. @param now milliseconds since the epoch */
export function rangeOf(span: ActivitySpan, now: number): ActivityRange {
  const { seconds, periodSeconds } = activitySpans[span];
  const period = periodSeconds * 1000;
  const until = Math.floor(now / period) * period + period;
  return { since: new Date(until - seconds * 1000), until: new Date(until), periodSeconds };
}

/**
 * Reads tokens, upload URLs, uploads and answers of a deployment from CloudWatch. CloudWatch shows an event about a
 * minute later. A call reads eight metrics, which cost less than 0.0001 US dollars.
 */
export async function readActivity(deployment: Deployment, range: ActivityRange): Promise<Activity> {
  const { namesOf } = await listStackResources(deployment);
  const [apiId] = namesOf('AWS::ApiGatewayV2::Api');
  const sources = activitySources(deployment.stackName, apiId);
  const found = await readValues(deployment, sources, range);
  const [since, until, period] = [range.since.getTime(), range.until.getTime(), range.periodSeconds * 1000];
  const times = Array.from({ length: (until - since) / period }, (_, index) => since + index * period);
  const series = sources.map((source, index) => toSeries(source, times, found[index] ?? new Map()));
  return { until, times, series };
}

/** Values by time, in milliseconds since the epoch. */
type Values = ReadonlyMap<number, number>;

async function readValues(
  deployment: Deployment,
  sources: readonly SeriesSource[],
  { since, until, periodSeconds }: ActivityRange,
): Promise<readonly Values[]> {
  const client = await cloudWatchClient(deployment);
  const values = sources.map(() => new Map<number, number>());
  const MetricDataQueries = sources.map(({ namespace, metric, dimensions, statistic }, index) => ({
    Id: `m${index}`,
    MetricStat: {
      Metric: { Namespace: namespace, MetricName: metric, Dimensions: dimensions },
      Period: periodSeconds,
      Stat: statistic,
    },
  }));
  const pages = client.paginateGetMetricData({ StartTime: since, EndTime: until, MetricDataQueries });
  for await (const { MetricDataResults = [] } of pages) {
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [index, time] of Timestamps.entries()) {
        values[Number(Id.slice(1))]?.set(time.getTime(), Values[index] ?? 0);
      }
    }
  }
  return values;
}

function toSeries(source: SeriesSource, times: readonly number[], found: Values): ActivitySeries {
  const { metric, statistic } = source;
  const missing = statistic === 'Sum' ? 0 : null;
  const values = times.map((time) => found.get(time) ?? missing);
  const known = [...found.values()];
  const greatest = known.length === 0 ? null : Math.max(...known);
  const total = statistic === 'Sum' ? known.reduce((sum, value) => sum + value, 0) : greatest;
  return { metric, statistic, total, values };
}
