import type { MetricName } from '../../../contract/internal/metrics.ts';
import { cloudWatchClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Metrics of the service to show. Each is a count. */
export const activityMetrics = [
  'TokensIssued',
  'TokensRejected',
  'SyncsIssued',
  'SyncsRejected',
  'UploadsCompleted',
  'UploadBytes',
  'UploadsExpired',
] as const satisfies readonly MetricName[];

export type ActivityMetric = (typeof activityMetrics)[number];

/** Activity of a deployment: one value of each metric for each period. */
export type Activity = ReadonlyMap<ActivityMetric, readonly number[]>;

/** Spans of time to choose from, with a period for each. About fifty periods fit a readable plot. */
export const activitySpans = {
  hour: { seconds: 3600, periodSeconds: 60 },
  day: { seconds: 86_400, periodSeconds: 1800 },
  week: { seconds: 604_800, periodSeconds: 10_800 },
} as const;

export type ActivitySpan = keyof typeof activitySpans;

/**
 * Reads tokens, upload URLs and uploads of a deployment from CloudWatch, in whole periods until the end of the present one.
 * CloudWatch shows an event about a minute later. A call reads seven metrics, which cost less than 0.0001 US dollars.
 */
export async function readActivity(
  deployment: Deployment,
  span: ActivitySpan,
  now: number = deployment.now(),
): Promise<Activity> {
  const { seconds, periodSeconds } = activitySpans[span];
  const period = periodSeconds * 1000;
  const until = Math.floor(now / period) * period + period;
  const since = until - seconds * 1000;
  const client = await cloudWatchClient(deployment);
  const pages = client.paginateGetMetricData({
    StartTime: new Date(since),
    EndTime: new Date(until),
    MetricDataQueries: activityMetrics.map((MetricName, index) => ({
      Id: `m${index}`,
      MetricStat: {
        Metric: { Namespace: deployment.stackName, MetricName },
        Period: periodSeconds,
        Stat: 'Sum',
      },
    })),
  });
  const values = activityMetrics.map(() => new Array<number>(seconds / periodSeconds).fill(0));
  for await (const { MetricDataResults = [] } of pages) {
    for (const { Id = '', Timestamps = [], Values = [] } of MetricDataResults) {
      for (const [index, time] of Timestamps.entries()) {
        values[Number(Id.slice(1))]?.splice((time.getTime() - since) / period, 1, Values[index] ?? 0);
      }
    }
  }
  return new Map(activityMetrics.map((metric, index) => [metric, values[index] ?? []]));
}

/** Adds up metrics, for each period. */
export function sumOf(activity: Activity, ...metrics: readonly ActivityMetric[]): readonly number[] {
  const [first = [], ...others] = metrics.map((metric) => activity.get(metric) ?? []);
  return first.map((value, index) => others.reduce((sum, values) => sum + (values[index] ?? 0), value));
}

/** Adds up metrics, over the whole span. */
export function totalOf(activity: Activity, ...metrics: readonly ActivityMetric[]): number {
  return sumOf(activity, ...metrics).reduce((total, value) => total + value, 0);
}
