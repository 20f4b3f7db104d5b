import * as v from 'valibot';
import { arnOf } from '../shared/names.ts';
import { defineResourceType, tagListSchema } from '../shared/resource-type.ts';

/**
 * Alarms do nothing: there are no metrics here, and errors are shown to whoever started the emulator. Every property
 * is listed all the same, so that somebody looks at each new use.
 */
const alarmSchema = v.strictObject({
  ActionsEnabled: v.optional(v.boolean()),
  AlarmActions: v.optional(v.array(v.string())),
  AlarmDescription: v.optional(v.string()),
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  Dimensions: v.optional(v.array(v.strictObject({ Name: v.string(), Value: v.string() }))),
  EvaluationPeriods: v.number(),
  MetricName: v.string(),
  Namespace: v.string(),
  OKActions: v.optional(v.array(v.string())),
  Period: v.number(),
  Statistic: v.string(),
  Tags: tagListSchema,
  Threshold: v.number(),
  TreatMissingData: v.optional(v.string()),
});

export const alarmType = defineResourceType('AWS::CloudWatch::Alarm', alarmSchema, {
  attributes: { Arn: arnOf('cloudwatch', 'alarm:') },
});
