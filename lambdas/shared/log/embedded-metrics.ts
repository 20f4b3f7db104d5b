import { noMetrics } from '../../../contract/internal/environment.ts';
import { type MetricName, type MetricValues, metrics } from '../../../contract/internal/metrics.ts';

/**
 * Returns the members of a log line for its metrics (CloudWatch User Guide, "Specification: Embedded metric format").
 * CloudWatch reads them from the log, so no request waits for a call of CloudWatch.
 *
 * @param namespace name of the stack. Undefined or {@link noMetrics}: the line contains no metrics
 * @param at time of the line, in milliseconds since the epoch
 */
export function embeddedMetrics(
  namespace: string | undefined,
  values: MetricValues | undefined,
  at: number,
): object {
  if (values === undefined || namespace === undefined || namespace === noMetrics) {
    return {};
  }
  const names = Object.keys(values).filter((name): name is MetricName => Object.hasOwn(metrics, name));
  const directive = {
    Namespace: namespace,
    // The empty set of dimensions stands for the whole metric.
    Dimensions: 'Reason' in values ? [[], ['Reason']] : [[]],
    Metrics: names.map((name) => ({ Name: name, Unit: metrics[name] })),
  };
  return { ...values, _aws: { Timestamp: at, CloudWatchMetrics: [directive] } };
}
