import type { MetricName } from '../../../contract/internal/metrics.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type MetricQuery, type MetricValues, readMetrics, type TimeRange } from '../deployment/metrics.ts';
import { listStackResources, type StackResources } from '../deployment/stack-resources.ts';

/** Metrics of the service to show. Each is a count. */
export const ownMetrics = {
  tokens: 'TokensIssued',
  urls: 'SyncsIssued',
  completed: 'UploadsCompleted',
  expired: 'UploadsExpired',
  bytes: 'UploadBytes',
} as const satisfies Readonly<Record<string, MetricName>>;

/** Functions of the routes, by the start of their logical IDs. */
const functions = {
  token: 'TokenFunction',
  volumes: 'VolumesFunction',
  sync: 'SyncFunction',
  documents: 'WellKnownFunction',
} as const;

/** Metrics of API Gateway, which AWS does not charge for. Detailed metrics of a route would cost. */
const apiMetrics = { requests: 'Count', rejected: '4xx', failed: '5xx' } as const;

export type ActivityMetric =
  | keyof typeof ownMetrics
  | keyof typeof functions
  | keyof typeof apiMetrics
  | 'p95';

/** Activity of a deployment in a range of time. */
export interface Activity {
  /** Whole periods. */
  readonly range: TimeRange;
  readonly periodSeconds: number;
  readonly values: MetricValues<ActivityMetric>;
}

const dayMilliseconds = 86_400_000;

const [minute, hour, day] = [60, 3600, 86_400];

/** Lengths of a period in seconds. About sixty periods fit a readable chart. */
const periods = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, day];
const maxPeriods = 60;

/**
 * Returns the length of a period for a range. CloudWatch keeps minutes for 15 days and five minutes for 63
 * days ("CloudWatch concepts", metrics retention).
 */
function periodFor({ since, until }: TimeRange, now: number): number {
  const age = (now - since) / dayMilliseconds;
  const shortest = age < 14 ? minute : age < 62 ? 5 * minute : hour;
  const fits = (seconds: number) => (until - since) / 1000 / seconds <= maxPeriods;
  return periods.find((seconds) => seconds >= shortest && fits(seconds)) ?? 7 * day;
}

/** Returns the whole periods that contain a range. */
function wholePeriods(range: TimeRange, now: number) {
  const periodSeconds = periodFor(range, now);
  const period = periodSeconds * 1000;
  const since = Math.floor(range.since / period) * period;
  const until = Math.max(Math.ceil(range.until / period) * period, since + period);
  return { range: { since, until }, periodSeconds };
}

/** Returns the last hour until a time. */
export function lastHour(now: number): TimeRange {
  return { since: now - hour * 1000, until: now };
}

/**
 * Reads requests, tokens, upload URLs and uploads of a deployment from CloudWatch, in whole periods.
 * CloudWatch shows an event about a minute later. A call reads 13 metrics, for 0.00013 US dollars.
 */
export async function readActivity(deployment: Deployment, range: TimeRange): Promise<Activity> {
  const whole = wholePeriods(range, deployment.now());
  const queries = activityQueries(deployment, await listStackResources(deployment));
  return { ...whole, values: await readMetrics(deployment, queries, whole.range, whole.periodSeconds) };
}

/** Reads only the numbers of requests, by their responses. */
export async function readRequestCounts(
  deployment: Deployment,
  resources: StackResources,
  range: TimeRange,
): Promise<Record<keyof typeof apiMetrics, number>> {
  const whole = wholePeriods(range, deployment.now());
  const queries = apiQueries(resources);
  const values = await readMetrics(deployment, queries, whole.range, whole.periodSeconds);
  const { requests, rejected, failed } = values;
  return { requests: sum(requests), rejected: sum(rejected), failed: sum(failed) };
}

/** Returns the sum of a metric in the whole range. */
export function totalOf({ values }: Activity, metric: ActivityMetric): number {
  return sum(values[metric]);
}

function sum(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value = 0) => total + value, 0);
}

function activityQueries(
  { stackName }: Deployment,
  resources: StackResources,
): Record<ActivityMetric, MetricQuery> {
  return {
    ...apiQueries(resources),
    p95: { ...apiQuery(resources, 'Latency'), statistic: 'p95' },
    ...mapValues(functions, (logicalId): MetricQuery => {
      const [FunctionName = ''] = resources.namesOf('AWS::Lambda::Function', logicalId);
      return { namespace: 'AWS/Lambda', metric: 'Invocations', dimensions: { FunctionName } };
    }),
    ...mapValues(ownMetrics, (metric): MetricQuery => ({ namespace: stackName, metric })),
  };
}

function apiQueries(resources: StackResources): Record<keyof typeof apiMetrics, MetricQuery> {
  return mapValues(apiMetrics, (metric) => apiQuery(resources, metric));
}

function apiQuery({ namesOf }: StackResources, metric: string): MetricQuery {
  const [ApiId = ''] = namesOf('AWS::ApiGatewayV2::Api');
  return { namespace: 'AWS/ApiGateway', metric, dimensions: { ApiId } };
}

function mapValues<Name extends string, From, To>(of: Readonly<Record<Name, From>>, map: (from: From) => To) {
  const entries = Object.entries<From>(of).map(([name, value]) => [name, map(value)]);
  return Object.fromEntries(entries) as Record<Name, To>;
}
