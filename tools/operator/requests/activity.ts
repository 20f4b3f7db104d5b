import type { MetricName } from '../../../contract/internal/metrics.ts';
import { routeKey, routes } from '../../../contract/routes.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type MetricQuery, metricOf, readMetrics, type TimeRange } from '../deployment/metrics.ts';
import { listStackResources } from '../deployment/stack-resources.ts';

/** A metric to show: of the service, of its API, or of one of its functions. */
export interface ShownMetric {
  readonly label: string;
  readonly own?: MetricName;
  /** Metric of API Gateway, without a charge. With a dimension for the route, it would cost. */
  readonly api?: string;
  /** Start of the logical ID of a function, to count its invocations. */
  readonly invoked?: string;
  /** Of `ms`: the 95th percentile. Default: a count. */
  readonly unit?: 'bytes' | 'ms';
}

/** Metrics that the overview shows: the query, the legends of the charts, and the columns of the numbers. */
export const activityMetrics = {
  // CloudWatch counts all requests. `readActivity` subtracts the others.
  succeeded: { label: 'succeeded (2xx)', api: 'Count' },
  rejected: { label: 'rejected (4xx)', api: '4xx' },
  failed: { label: 'failed (5xx)', api: '5xx' },
  token: { label: routeKey(routes.token), invoked: 'TokenFunction' },
  sync: { label: routeKey(routes.sync), invoked: 'SyncFunction' },
  volumes: { label: routeKey(routes.volumes), invoked: 'VolumesFunction' },
  documents: { label: 'public documents', invoked: 'WellKnownFunction' },
  p95: { label: 'p95 of durations', api: 'Latency', unit: 'ms' },
  tokens: { label: 'tokens issued', own: 'TokensIssued' },
  urls: { label: 'URLs issued', own: 'SyncsIssued' },
  completed: { label: 'uploads completed', own: 'UploadsCompleted' },
  expired: { label: 'URLs expired unused', own: 'UploadsExpired' },
  bytes: { label: 'content', own: 'UploadBytes', unit: 'bytes' },
} as const satisfies Readonly<Record<string, ShownMetric>>;

export type ActivityMetric = keyof typeof activityMetrics;

/** Activity of a deployment, in periods of milliseconds. */
export type Activity = Awaited<ReturnType<typeof readActivity>>;

/** Lengths of a period in seconds. About sixty periods fit a readable chart. */
const periods = [60, 300, 900, 1800, 3600, 10_800, 21_600, 43_200, 86_400];

/**
 * Returns the length of a period for a range. CloudWatch keeps minutes for 15 days and five minutes for 63
 * days ("CloudWatch concepts", metrics retention).
 */
function periodFor({ since, until }: TimeRange, now: number): number {
  const ageDays = (now - since) / 86_400_000;
  const shortest = ageDays < 14 ? 60 : ageDays < 62 ? 300 : 3600;
  const fitting = Math.max(shortest, (until - since) / 1000 / 60);
  return periods.find((seconds) => seconds >= fitting) ?? 604_800;
}

/** Returns the last hour until a time. */
export function lastHour(now: number): TimeRange {
  return { since: now - 3_600_000, until: now };
}

/** Reads requests, tokens, upload URLs and uploads. */
export async function readActivity(deployment: Deployment, range: TimeRange) {
  const { namesOf } = await listStackResources(deployment);
  const nameOf = (type: string, logicalId?: string) => namesOf(type, logicalId)[0] ?? '';
  const queryOf = ({ own, api, invoked, unit }: ShownMetric): MetricQuery => {
    if (api !== undefined) {
      const ApiId = nameOf('AWS::ApiGatewayV2::Api');
      return metricOf('AWS/ApiGateway', api, { ApiId }, unit === 'ms' ? 'p95' : 'Sum');
    }
    return own === undefined
      ? metricOf('AWS/Lambda', 'Invocations', { FunctionName: nameOf('AWS::Lambda::Function', invoked) })
      : metricOf(deployment.stackName, own);
  };
  const queries = Object.fromEntries(
    Object.entries<ShownMetric>(activityMetrics).map(([name, shown]) => [name, queryOf(shown)]),
  ) as Record<ActivityMetric, MetricQuery>;
  const read = await readMetrics(deployment, queries, range, periodFor(range, deployment.now()));
  const { succeeded: all, rejected, failed } = read.values;
  const succeeded = all.map((count, at) => count - (rejected[at] ?? 0) - (failed[at] ?? 0));
  return { ...read, values: { ...read.values, succeeded } };
}
