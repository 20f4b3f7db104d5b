import * as v from 'valibot';
import { arnOf } from '../shared/names.ts';
import { defineResourceType, optionalText, tagListSchema } from '../shared/resource-type.ts';
import { metricStatSchema } from './metric-stat.ts';

/** A metric, or an expression over metrics that metric-math.ts reads. */
const metricQuerySchema = v.strictObject({
  Expression: optionalText,
  Id: v.pipe(v.string(), v.regex(/^[a-z]\w*$/)),
  MetricStat: v.optional(metricStatSchema),
  ReturnData: v.optional(v.boolean(), true),
});

/** ARNs of SNS topics. Other actions, such as invoking a function, are not supported. */
const topicsSchema = v.optional(v.array(v.pipe(v.string(), v.regex(/^arn:[^:]+:sns:/))), []);

/** An alarm on an expression over metrics in one period. Missing data does not raise it. */
const alarmSchema = v.strictObject({
  AlarmActions: topicsSchema,
  AlarmDescription: optionalText,
  ComparisonOperator: v.literal('GreaterThanOrEqualToThreshold'),
  EvaluationPeriods: v.literal(1),
  Metrics: v.array(metricQuerySchema),
  OKActions: topicsSchema,
  Tags: tagListSchema,
  Threshold: v.number(),
  TreatMissingData: v.literal('notBreaching'),
});

export const alarmType = defineResourceType('AWS::CloudWatch::Alarm', alarmSchema, {
  attributes: { Arn: arnOf('cloudwatch', 'alarm:') },
});

const dashboardBodySchema = v.pipe(v.string(), v.parseJson(), v.object({ widgets: v.array(v.unknown()) }));

/** A dashboard, which the emulator cannot display. CloudWatch requires that its body is JSON with widgets. */
const dashboardSchema = v.strictObject({
  DashboardBody: v.pipe(
    v.string(),
    v.check(
      (text) => v.is(dashboardBodySchema, text),
      'must be the JSON of an object with a list of widgets',
    ),
  ),
});

export const dashboardType = defineResourceType('AWS::CloudWatch::Dashboard', dashboardSchema);
