import {
  type MetricName,
  metrics,
  type RefusalMetric,
  refusalsOf,
} from '../../lambdas/shared/log/metrics.ts';

/** A metric of CloudWatch, and the statistic of it that is shown. */
export interface SeriesSource {
  readonly metric: string;
  readonly reason?: string;
  readonly meaning: string;
  readonly unit: string;
  readonly namespace: string;
  readonly dimensions: Readonly<Record<string, string>>;
  readonly statistic: 'Sum' | 'p50' | 'p99' | 'Maximum';
}

/** Where the metrics of a deployment are. */
export interface MetricPlaces {
  /** Namespace of the service's own metrics. */
  readonly stackName: string;
  /** Absent for a stack without an API. */
  readonly apiId: string | undefined;
}

/** The counts that are shown, in their order. A refusal is followed by its reasons. */
const counts = [
  'TokensIssued',
  'TokensRefused',
  'SyncsIssued',
  'SyncsRefused',
  'UploadsCompleted',
  'UploadBytes',
  'UploadsDuplicate',
  'UploadsSuperseded',
  'UploadsCancelled',
  'UploadsDiscarded',
  'UploadsReconciled',
  'UploadsExpired',
] as const satisfies readonly MetricName[];

/** What API Gateway counts by itself: every request, also those that no function saw. */
const requests = [
  { metric: 'Count', statistic: 'Sum', unit: 'Count', meaning: 'Requests to the API' },
  { metric: '4xx', statistic: 'Sum', unit: 'Count', meaning: 'Answers 4xx: refused or throttled' },
  { metric: '5xx', statistic: 'Sum', unit: 'Count', meaning: 'Answers 5xx: the service failed' },
  { metric: 'Latency', statistic: 'p99', unit: 'Milliseconds', meaning: 'Time to the answer, for 99 of 100' },
] as const;

/** All series of the activity of a deployment. */
export function activitySources({ stackName: namespace, apiId }: MetricPlaces): readonly SeriesSource[] {
  const own = counts.flatMap((metric) => [
    { metric, namespace, dimensions: {}, statistic: 'Sum' as const, ...describe(metric) },
    ...(isRefusal(metric) ? byReason(metric, namespace) : []),
  ]);
  const time = { metric: 'UploadTime', namespace, dimensions: {}, ...describe('UploadTime') };
  const api = apiId === undefined ? [] : requests.map((request) => ofApi(request, apiId));
  return [...own, { ...time, statistic: 'p50' }, ...api];
}

function describe(metric: MetricName): { readonly meaning: string; readonly unit: string } {
  const { meaning, unit } = metrics[metric];
  return { meaning, unit };
}

function isRefusal(metric: MetricName): metric is RefusalMetric {
  return Object.hasOwn(refusalsOf, metric);
}

function byReason(metric: RefusalMetric, namespace: string): SeriesSource[] {
  return refusalsOf[metric].map((reason) => ({
    metric,
    reason,
    namespace,
    dimensions: { Reason: reason },
    statistic: 'Sum',
    ...describe(metric),
  }));
}

function ofApi(request: (typeof requests)[number], apiId: string): SeriesSource {
  return { ...request, namespace: 'AWS/ApiGateway', dimensions: { ApiId: apiId } };
}
