import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric, type MetricOptions } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRule } from 'aws-cdk-lib/aws-events';
import type { MetricName } from '../../contract/internal/metrics.ts';

/** Period of alarms and graphs: a graph shows the values that an alarm compares. */
export const period = Duration.minutes(5);

/**
 * Returns a metric of an HTTP API (API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs").
 */
export function apiMetric(
  ApiId: string,
  metricName: 'Count' | '4xx' | '5xx' | 'Latency',
  options: MetricOptions = {},
): Metric {
  return metric('AWS/ApiGateway', metricName, { dimensionsMap: { ApiId }, ...options });
}

/** Returns a metric of a rule (EventBridge User Guide, "Monitoring Amazon EventBridge"). */
export function ruleMetric(
  { ruleName: RuleName }: IRule,
  metricName: 'FailedInvocations' | 'InvocationsSentToDlq',
): Metric {
  return metric('AWS/Events', metricName, { dimensionsMap: { RuleName } });
}

/** Metric that counts the 429 responses in the access log. */
export const throttledMetric = 'RequestsThrottled';

/**
 * Returns a metric of the service itself (contract/internal/metrics.ts). Its namespace is the name of the
 * stack.
 */
export function ownMetric(
  namespace: string,
  metricName: MetricName | typeof throttledMetric,
  options: MetricOptions = {},
): Metric {
  return metric(namespace, metricName, options);
}

/** Returns a metric with the statistic Sum, unless the options name another one. */
function metric(namespace: string, metricName: string, options: MetricOptions): Metric {
  return new Metric({ namespace, metricName, statistic: 'Sum', period, ...options });
}

/**
 * Returns the value of an expression, or 0 for a period without data. Without data, CloudWatch evaluates
 * older periods ("Configuring how CloudWatch alarms treat missing data"). Its windows move by a minute. A
 * window with only the end of a problem can come before a window with the whole problem: the alarm would go
 * on and off, and notify each time.
 */
export function orZero(
  expression: string,
  usingMetrics: Record<string, IMetric>,
  over: Duration = period,
): MathExpression {
  return new MathExpression({ expression: `FILL(${expression}, 0)`, usingMetrics, period: over });
}
