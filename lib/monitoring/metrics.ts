import { Duration } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRule } from 'aws-cdk-lib/aws-events';
import type { MetricName, SyncRefusal, TokenRefusal } from '../../lambdas/shared/log/metrics.ts';

/** Alarms and pictures have the same period: a picture shows the values that an alarm compares. */
export const period = Duration.minutes(5);

type ApiMetric = 'Count' | '4xx' | '5xx' | 'Latency';

/** API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs". */
export function apiMetric(ApiId: string, metricName: ApiMetric, statistic: string, label?: string): Metric {
  return makeMetric({ namespace: 'AWS/ApiGateway', metricName, dimensionsMap: { ApiId } }, statistic, label);
}

type RuleMetric = 'FailedInvocations' | 'InvocationsSentToDlq';

/** EventBridge User Guide, "Monitoring Amazon EventBridge". */
export function ruleMetric({ ruleName: RuleName }: Pick<IRule, 'ruleName'>, metricName: RuleMetric): Metric {
  return makeMetric({ namespace: 'AWS/Events', metricName, dimensionsMap: { RuleName } }, 'Sum');
}

/** The metric that the stack makes of each 429 in the access log. */
export const throttledMetric = 'RequestsThrottled';

export interface OwnMetricOptions {
  readonly statistic?: string;
  readonly label?: string;
  readonly reason?: TokenRefusal | SyncRefusal;
}

/** A metric of the service itself (lambdas/shared/log/metrics.ts). Its namespace is the name of the stack. */
export function ownMetric(
  namespace: string,
  metricName: MetricName | typeof throttledMetric,
  { statistic = 'Sum', label, reason }: OwnMetricOptions = {},
): Metric {
  const dimensionsMap: Record<string, string> = reason === undefined ? {} : { Reason: reason };
  return makeMetric({ namespace, metricName, dimensionsMap }, statistic, label);
}

interface MetricIdentity {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensionsMap: Record<string, string>;
}

function makeMetric(identity: MetricIdentity, statistic: string, label?: string): Metric {
  return new Metric({ ...identity, statistic, period, ...(label === undefined ? {} : { label }) });
}

/**
 * The value of an expression, and 0 where nothing happens. Without data, CloudWatch looks back at older periods
 * ("Configuring how CloudWatch alarms treat missing data"). Its windows move by a minute. A window with only the end of
 * some trouble can come before a window with all of the trouble: the alarm would go on and off, and notify each time.
 */
export function orZero(expression: string, usingMetrics: Record<string, IMetric>): MathExpression {
  return new MathExpression({ expression: `FILL(${expression}, 0)`, usingMetrics, period });
}
