import { type MetricName, metrics, refusalsOf } from '../../lambdas/shared/log/metrics.ts';

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

/**
 * All series of the activity of a deployment.
 *
 * @param namespace of the service's own metrics: the name of its stack
 * @param apiId absent for a stack without an API
 */
export function activitySources(namespace: string, apiId: string | undefined): readonly SeriesSource[] {
  const own = (metric: MetricName, statistic: SeriesSource['statistic'], reason?: string): SeriesSource => ({
    metric,
    ...(reason && { reason }),
    meaning: metrics[metric].meaning,
    unit: metrics[metric].unit,
    namespace,
    dimensions: reason === undefined ? {} : { Reason: reason },
    statistic,
  });
  const reasonsOf: { readonly [Name in MetricName]?: readonly string[] } = refusalsOf;
  return [
    ...counts.flatMap((metric) => [
      own(metric, 'Sum'),
      ...(reasonsOf[metric] ?? []).map((reason) => own(metric, 'Sum', reason)),
    ]),
    own('UploadTime', 'p50'),
    ...(apiId === undefined
      ? []
      : requests.map((request) => {
          return { ...request, namespace: 'AWS/ApiGateway', dimensions: { ApiId: apiId } };
        })),
  ];
}
