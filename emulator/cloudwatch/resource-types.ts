import * as v from 'valibot';
import { arnOf } from '../shared/names.ts';
import { defineResourceType, tagListSchema } from '../shared/resource-type.ts';

/** Nobody is told of a change of state: the emulator says it to whoever started it. */
const actions = {
  ActionsEnabled: v.optional(v.boolean()),
  AlarmActions: v.optional(v.array(v.string())),
  InsufficientDataActions: v.optional(v.array(v.string())),
  OKActions: v.optional(v.array(v.string())),
};

/** An alarm on one metric. Alarms on expressions of several metrics (`Metrics`) are not supported. */
const alarmSchema = v.strictObject({
  ...actions,
  AlarmDescription: v.optional(v.string()),
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  Dimensions: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() })), []),
  /** With few values, a percentile is evaluated all the same, which is AWS's default. */
  EvaluateLowSampleCountPercentile: v.optional(v.literal('evaluate')),
  EvaluationPeriods: v.number(),
  /** A percentile. Other statistics are in `Statistic`. */
  ExtendedStatistic: v.optional(v.string()),
  MetricName: v.string(),
  Namespace: v.string(),
  Period: v.number(),
  Statistic: v.optional(v.string()),
  Tags: tagListSchema,
  Threshold: v.number(),
  TreatMissingData: v.optional(v.picklist(['missing', 'ignore', 'breaching', 'notBreaching']), 'missing'),
  Unit: v.optional(v.string()),
});

export const alarmType = defineResourceType('AWS::CloudWatch::Alarm', alarmSchema, {
  attributes: { Arn: arnOf('cloudwatch', 'alarm:') },
});

/** An alarm on the states of other alarms. Suppressors are not supported. */
const compositeAlarmSchema = v.strictObject({
  ...actions,
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
