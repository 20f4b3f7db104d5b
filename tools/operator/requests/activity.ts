import type { MetricName } from '../../../lambdas/shared/log/metrics.ts';
import { cloudWatchClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** The metrics of the service that are shown. Each counts something. */
export const activityMetrics = [
  'TokensIssued',
  'TokensRefused',
  'SyncsIssued',
  'SyncsRefused',
  'UploadsCompleted',
  'UploadBytes',
  'UploadsExpired',
] as const satisfies readonly MetricName[];

export type ActivityMetric = (typeof activityMetrics)[number];

/** The time to look at, in whole periods. CloudWatch counts the periods from the beginning of the range. */
export interface ActivityRange {
  readonly since: Date;
  readonly until: Date;
  /** Length of one value, in seconds: a multiple of 60. */
  readonly periodSeconds: number;
}

/** One metric over time. */
export interface ActivitySeries {
  readonly metric: ActivityMetric;
  readonly total: number;
  /** One value for each of {@link Activity.times}. */
  readonly values: readonly number[];
}

/** What happened in a deployment. */
export interface Activity {
  /** When each value begins, in milliseconds since the epoch. */
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
 * Reads tokens, upload URLs and uploads of a deployment from CloudWatch. CloudWatch shows an event about a minute later. A
 * call reads seven metrics, which cost less than 0.0001 US dollars.
 */
export async function readActivity(deployment: Deployment, range: ActivityRange): Promise<Activity> {
  const found = await readValues(deployment, range);
  const [since, until, period] = [range.since.getTime(), range.until.getTime(), range.periodSeconds * 1000];
  const times = Array.from({ length: (until - since) / period }, (_, index) => since + index * period);
  const series = activityMetrics.map((metric, index) => {
    const values = times.map((time) => found[index]?.get(time) ?? 0);
    return { metric, total: values.reduce((sum, value) => sum + value, 0), values };
  });
  return { times, series };
}

/** Values by time, in milliseconds since the epoch. */
type Values = ReadonlyMap<number, number>;

/** The values of each metric. */
async function readValues(
  deployment: Deployment,
  { since, until, periodSeconds }: ActivityRange,
): Promise<readonly Values[]> {
  const client = await cloudWatchClient(deployment);
  const values = activityMetrics.map(() => new Map<number, number>());
  const MetricDataQueries = activityMetrics.map((MetricName, index) => ({
    Id: `m${index}`,
    MetricStat: {
      Metric: { Namespace: deployment.stackName, MetricName },
      Period: periodSeconds,
      Stat: 'Sum',
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
