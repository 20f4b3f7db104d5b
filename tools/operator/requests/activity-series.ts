import type { Dimension } from '@aws-sdk/client-cloudwatch';
import type { MetricName } from '../../../lambdas/shared/log/metrics.ts';

/** A metric of CloudWatch, and which of its statistics is shown. */
export interface SeriesSource {
  readonly metric: ActivityMetric;
  readonly namespace: string;
  readonly dimensions: Dimension[];
  readonly statistic: 'Sum' | 'p99';
}

/** The shown series: counts of the service, and the time to the answer. */
export type ActivityMetric = (typeof counts)[number] | 'Latency';

/** The counts that are shown. */
const counts = [
  'TokensIssued',
  'TokensRefused',
  'SyncsIssued',
  'SyncsRefused',
  'UploadsCompleted',
  'UploadBytes',
  'UploadsExpired',
] as const satisfies readonly MetricName[];

/**
 * All series of the activity of a deployment.
 *
 * @param namespace of the service's own metrics: the name of its stack
 * @param apiId absent for a stack without an API
 */
export function activitySources(namespace: string, apiId: string | undefined): readonly SeriesSource[] {
  const own = counts.map((metric): SeriesSource => ({ metric, namespace, dimensions: [], statistic: 'Sum' }));
  if (apiId === undefined) {
    return own;
  }
  // API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs".
  const ofApi = { namespace: 'AWS/ApiGateway', dimensions: [{ Name: 'ApiId', Value: apiId }] };
  return [...own, { ...ofApi, metric: 'Latency', statistic: 'p99' }];
}
