import { Duration, Stack } from 'aws-cdk-lib';
import { type IMetric, MathExpression, Metric } from 'aws-cdk-lib/aws-cloudwatch';
import type { IRule } from 'aws-cdk-lib/aws-events';
import type { IFunction } from 'aws-cdk-lib/aws-lambda';
import type { IQueue } from 'aws-cdk-lib/aws-sqs';
import type { Construct } from 'constructs';
import { routeKey } from '../../contract/routes.ts';
import type {
  AlarmDefinition,
  Measure,
  MetricSource,
  MonitoredFunction,
  MonitoredRule,
} from './definition.ts';

/** What the metrics are of. */
export interface MonitoredResources {
  readonly apiId: string;
  readonly functions: { readonly [Name in MonitoredFunction]: Pick<IFunction, 'functionName'> };
  readonly rules: { readonly [Name in MonitoredRule]: Pick<IRule, 'ruleName'> };
  readonly deadLetterQueue: Pick<IQueue, 'queueName'>;
}

/** Name and dimensions of a metric, as CloudWatch knows it. */
export interface MetricName {
  readonly namespace: string;
  readonly metricName: string;
  readonly dimensionsMap: Record<string, string>;
}

/** Metrics that the stack makes of log lines, in the namespace that is the name of the stack. */
export const filteredMetrics = { throttled: 'RequestsThrottled', secondVersions: 'SecondVersions' } as const;

/** Where CloudWatch keeps a metric. Each name of AWS is from the page that the service has on its metrics. */
export function nameMetric(
  source: MetricSource,
  resources: MonitoredResources,
  scope: Construct,
): MetricName {
  const own = Stack.of(scope).stackName;
  switch (source.of) {
    // API Gateway Developer Guide, "Monitor CloudWatch metrics for HTTP APIs".
    case 'api':
      return named('AWS/ApiGateway', source.metric, { ApiId: resources.apiId });
    // Lambda Developer Guide, "Types of metrics for Lambda functions".
    case 'function':
      return named('AWS/Lambda', source.metric, {
        FunctionName: resources.functions[source.name].functionName,
      });
    // EventBridge User Guide, "Monitoring Amazon EventBridge".
    case 'rule':
      return named('AWS/Events', source.metric, { RuleName: resources.rules[source.name].ruleName });
    // SQS Developer Guide, "Available CloudWatch metrics for Amazon SQS".
    case 'dead letters':
      return named('AWS/SQS', source.metric, { QueueName: resources.deadLetterQueue.queueName });
    case 'service':
      return named(own, source.metric, {
        ...(source.function === undefined ? {} : { Function: source.function }),
        ...(source.reason === undefined ? {} : { Reason: source.reason }),
      });
    case 'throttled route':
      return named(own, filteredMetrics.throttled, { Route: routeKey(source.route) });
    case 'second versions':
      return named(own, filteredMetrics.secondVersions, {});
  }
}

function named(namespace: string, metricName: string, dimensionsMap: Record<string, string>): MetricName {
  return { namespace, metricName, dimensionsMap };
}

/**
 * The metric, or the expression, that a measure stands for.
 *
 * @param label what a picture calls it
 */
export function resolveMeasure(
  measure: Measure,
  periodSeconds: number,
  resources: MonitoredResources,
  scope: Construct,
  label?: string,
): IMetric {
  const period = Duration.seconds(periodSeconds);
  const resolve = (source: MetricSource, name = source.label) => {
    const shown = name === undefined ? {} : { label: name };
    const { statistic } = source;
    return new Metric({ ...nameMetric(source, resources, scope), statistic, period, ...shown });
  };
  if ('metric' in measure) {
    return resolve(measure.metric, label ?? measure.metric.label);
  }
  const usingMetrics = Object.fromEntries(
    Object.entries(measure.metrics).map(([id, source]) => [id, resolve(source)]),
  );
  const shown = label === undefined ? {} : { label };
  return new MathExpression({ expression: measure.expression, usingMetrics, period, ...shown });
}

/**
 * What an alarm compares. Where nothing happens its value is 0, rather than no data. Without data, CloudWatch looks back at
 * older periods ("Configuring how CloudWatch alarms treat missing data"). Its windows move by a minute, so one that holds
 * the end of some trouble can come before one that holds all of it: the alarm would go on and off, and notify each time.
 *
 * `FILL` is only for periods that are longer than the delay of the values, as five minutes are. Otherwise the newest value
 * would always be the filled one ("Using math expressions", FILL). A queue has a value each minute, and needs no filling.
 */
export function withoutGaps({ measure, missing }: Pick<AlarmDefinition, 'measure' | 'missing'>): Measure {
  if (missing !== 'notBreaching' || sourcesOf(measure).some((source) => source.of === 'dead letters')) {
    return measure;
  }
  const { metrics, expression } =
    'metric' in measure ? { metrics: { value: measure.metric }, expression: 'value' } : measure;
  return { metrics, expression: `FILL(${expression}, 0)` };
}

/** The metrics of a measure. */
export function sourcesOf(measure: Measure): readonly MetricSource[] {
  return 'metric' in measure ? [measure.metric] : Object.values(measure.metrics);
}
