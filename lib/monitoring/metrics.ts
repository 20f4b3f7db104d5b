import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRule } from 'aws-cdk-lib/aws-events';
import type { MetricName } from '../../lambdas/shared/log/metrics.ts';

/** Alarms and pictures have the same period: a picture shows the values that an alarm compares. */
export const period = Duration.minutes(5);

/** API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs". */
export function apiMetric(
  ApiId: string,
  metricName: 'Count' | '4xx' | '5xx' | 'Latency',
  options: MetricOptions = {},
): Metric {
  return metric('AWS/ApiGateway', metricName, { dimensionsMap: { ApiId }, ...options });
}

/** EventBridge User Guide, "Monitoring Amazon EventBridge". */
export function ruleMetric(
  { ruleName: RuleName }: IRule,
  metricName: 'FailedInvocations' | 'InvocationsSentToDlq',
): Metric {
  return metric('AWS/Events', metricName, { dimensionsMap: { RuleName } });
}

/** The metric that the stack makes of each 429 in the access log. */
export const throttledMetric = 'RequestsThrottled';

/** A metric of the service itself (lambdas/shared/log/metrics.ts). Its namespace is the name of the stack. */
export function ownMetric(
  namespace: string,
  metricName: MetricName | typeof throttledMetric,
  options: MetricOptions = {},
): Metric {
  return metric(namespace, metricName, options);
}

/** A sum, unless the options name another statistic. */
function metric(namespace: string, metricName: string, options: MetricOptions): Metric {
  return new Metric({ namespace, metricName, statistic: 'Sum', period, ...options });
}

/**
 * The value of an expression, and 0 where nothing happens. Without data, CloudWatch looks back at older periods
 * ("Configuring how CloudWatch alarms treat missing data"). Its windows move by a minute. A window with only the end of
 * some trouble can come before a window with all of the trouble: the alarm would go on and off, and notify each time.
 */
export function orZero(
  expression: string,
  usingMetrics: Record<string, IMetric>,
  over: Duration = period,
): MathExpression {
  return new MathExpression({ expression: `FILL(${expression}, 0)`, usingMetrics, period: over });
}
