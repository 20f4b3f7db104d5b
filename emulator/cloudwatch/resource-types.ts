import * as v from 'valibot';
import { arnOf } from '../shared/names.ts';
import { countSchema, defineResourceType, tagListSchema } from '../shared/resource-type.ts';

/** Topics of SNS that hear of a change of state: see notifications.ts. */
const actions = {
  ActionsEnabled: v.optional(v.boolean()),
  AlarmActions: v.optional(v.array(v.string())),
  InsufficientDataActions: v.optional(v.array(v.string())),
  OKActions: v.optional(v.array(v.string())),
};

const dimensionsSchema = v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []);

/** A metric, or an expression over metrics: metric-math.ts reads it. */
const metricQuerySchema = v.strictObject({
  Expression: v.optional(v.string()),
  Id: v.pipe(v.string(), v.regex(/^[a-z]\w*$/)),
  Label: v.optional(v.string()),
  MetricStat: v.optional(
    v.strictObject({
      Metric: v.strictObject({
        Dimensions: dimensionsSchema,
        MetricName: v.string(),
        Namespace: v.string(),
      }),
      Period: v.number(),
      Stat: v.string(),
      Unit: v.optional(v.string()),
    }),
  ),
  ReturnData: v.optional(v.boolean(), true),
});

/** An alarm on one metric, or on an expression over several (`Metrics`). */
const alarmSchema = v.strictObject({
  ...actions,
  AlarmDescription: v.optional(v.string()),
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  Dimensions: dimensionsSchema,
  /** With few values, a percentile is evaluated all the same, which is AWS's default. */
  EvaluateLowSampleCountPercentile: v.optional(v.literal('evaluate')),
  EvaluationPeriods: v.number(),
  /** A percentile. Other statistics are in `Statistic`. */
  ExtendedStatistic: v.optional(v.string()),
  MetricName: v.optional(v.string()),
  Metrics: v.optional(v.array(metricQuerySchema)),
  Namespace: v.optional(v.string()),
  Period: v.optional(v.number()),
  Statistic: v.optional(v.string()),
  Tags: tagListSchema,
  Threshold: v.number(),
  TreatMissingData: v.optional(v.picklist(['missing', 'ignore', 'breaching', 'notBreaching']), 'missing'),
  Unit: v.optional(v.string()),
});

export const alarmType = defineResourceType('AWS::CloudWatch::Alarm', alarmSchema, {
  attributes: { Arn: arnOf('cloudwatch', 'alarm:') },
});

/** An alarm on the states of other alarms. Another alarm may suppress its actions: see due-actions.ts. */
const compositeAlarmSchema = v.strictObject({
  ...actions,
  /** Name or ARN of the alarm. */
  ActionsSuppressor: v.optional(v.string()),
  /** Both in seconds. */
  ActionsSuppressorExtensionPeriod: v.optional(countSchema),
  ActionsSuppressorWaitPeriod: v.optional(countSchema),
  AlarmDescription: v.optional(v.string()),
  AlarmRule: v.string(),
  Tags: tagListSchema,
});

export const compositeAlarmType = defineResourceType(
  'AWS::CloudWatch::CompositeAlarm',
  compositeAlarmSchema,
  {
    attributes: { Arn: arnOf('cloudwatch', 'alarm:') },
  },
);

/** A dashboard, which nobody can look at here. Its body must be JSON with widgets, as CloudWatch demands. */
const dashboardSchema = v.strictObject({
  DashboardName: v.optional(v.string()),
  DashboardBody: v.pipe(
    v.string(),
    v.check((text) => isDashboard(text), 'must be the JSON of an object with a list of widgets'),
  ),
});

export const dashboardType = defineResourceType('AWS::CloudWatch::Dashboard', dashboardSchema);

const dashboardBodySchema = v.pipe(v.string(), v.parseJson(), v.object({ widgets: v.array(v.unknown()) }));

function isDashboard(text: string): boolean {
  return v.is(dashboardBodySchema, text);
}
