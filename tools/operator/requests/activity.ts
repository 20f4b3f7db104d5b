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

/** Metrics of API Gateway and of the functions of the routes. AWS sends them without a charge. */
const awsMetrics = {
  requests: apiMetric('Count'),
  rejected: apiMetric('4xx'),
  failed: apiMetric('5xx'),
  p95: apiMetric('Latency'),
  token: invocationsOf('TokenFunction'),
  volumes: invocationsOf('VolumesFunction'),
  sync: invocationsOf('SyncFunction'),
  documents: invocationsOf('WellKnownFunction'),
} as const;

export type ActivityMetric = keyof typeof ownMetrics | keyof typeof awsMetrics;

/** Activity of a deployment in a range of time. */
export interface Activity<Metric extends ActivityMetric = ActivityMetric> {
  /** Whole periods. */
  readonly range: TimeRange;
  readonly periodSeconds: number;
  readonly values: MetricValues<Metric>;
}

const [minute, hour, day] = [60, 3600, 86_400];

/** Lengths of a period in seconds. About sixty periods fit a readable chart. */
const periods = [minute, 5 * minute, 15 * minute, 30 * minute, hour, 3 * hour, 6 * hour, 12 * hour, day];
const maxPeriods = 60;

/**
 * Returns the length of a period for a range. CloudWatch keeps minutes for 15 days and five minutes for 63
 * days ("CloudWatch concepts", metrics retention).
 */
function periodFor({ since, until }: TimeRange, now: number): number {
  const ageDays = (now - since) / 1000 / day;
  const shortest = ageDays < 14 ? minute : ageDays < 62 ? 5 * minute : hour;
  const fits = (seconds: number) => (until - since) / 1000 / seconds <= maxPeriods;
  return periods.find((seconds) => seconds >= shortest && fits(seconds)) ?? 7 * day;
}

/** Returns the last hour until a time. */
export function lastHour(now: number): TimeRange {
  return { since: now - hour * 1000, until: now };
}

/**
 * Reads metrics of requests, tokens, upload URLs and uploads from CloudWatch, in whole periods that contain
 * the range. CloudWatch shows an event about a minute later.
 */
export async function readActivity<Metric extends ActivityMetric>(
  deployment: Deployment,
  range: TimeRange,
  metrics: readonly Metric[],
  resources: StackResources | Promise<StackResources> = listStackResources(deployment),
): Promise<Activity<Metric>> {
  const periodSeconds = periodFor(range, deployment.now());
  const period = periodSeconds * 1000;
  const whole = {
    since: Math.floor(range.since / period) * period,
    until: Math.ceil(range.until / period) * period,
  };
  const found = await resources;
  const queries = Object.fromEntries(
    metrics.map((name) => [name, queryOf(name, deployment.stackName, found)]),
  ) as Record<Metric, MetricQuery>;
  const values = await readMetrics(deployment, queries, whole, periodSeconds);
  return { range: whole, periodSeconds, values };
}

/** All metrics that the overview shows. A read costs 0.00013 US dollars. */
export const activityMetrics = Object.keys({ ...awsMetrics, ...ownMetrics }) as readonly ActivityMetric[];

/** Returns the sum of the values of a metric. */
export function sumOf(values: readonly (number | undefined)[]): number {
  return values.reduce<number>((total, value = 0) => total + value, 0);
}

function queryOf(name: ActivityMetric, namespace: string, resources: StackResources): MetricQuery {
  return name in awsMetrics
    ? awsMetrics[name as keyof typeof awsMetrics](resources)
    : { namespace, metric: ownMetrics[name as keyof typeof ownMetrics] };
}

/** Detailed metrics, with a dimension for the route, would cost. */
function apiMetric(metric: 'Count' | '4xx' | '5xx' | 'Latency') {
  return ({ namesOf }: StackResources): MetricQuery => {
    const [ApiId = ''] = namesOf('AWS::ApiGatewayV2::Api');
    const statistic = metric === 'Latency' ? 'p95' : 'Sum';
    return { namespace: 'AWS/ApiGateway', metric, dimensions: { ApiId }, statistic };
  };
}

/** @param logicalId start of the logical ID of the function */
function invocationsOf(logicalId: string) {
  return ({ namesOf }: StackResources): MetricQuery => {
    const [FunctionName = ''] = namesOf('AWS::Lambda::Function', logicalId);
    return { namespace: 'AWS/Lambda', metric: 'Invocations', dimensions: { FunctionName } };
  };
}
