import * as v from 'valibot';
import type { ResourceTypes } from '../shared/resource-type.ts';
import { tagsSchema } from '../shared/tags.ts';
import { arn, physicalName } from '../shared/type-names.ts';

/** Logs go to files in the state folder, which nobody expires. */
const logGroupSchema = v.strictObject({
  RetentionInDays: v.optional(v.number()),
  KmsKeyId: v.optional(v.string()),
  LogGroupClass: v.optional(v.string()),
  DeletionProtectionEnabled: v.optional(v.boolean()),
  Tags: v.optional(tagsSchema),
});

const dimensionsSchema = v.array(v.strictObject({ Name: v.string(), Value: v.string() }));

/** Nobody is called when something fails on a laptop: the terminal shows it. */
const alarmSchema = v.strictObject({
  ActionsEnabled: v.optional(v.boolean()),
  AlarmActions: v.optional(v.array(v.string())),
  AlarmDescription: v.optional(v.string()),
  ComparisonOperator: v.string(),
  DatapointsToAlarm: v.optional(v.number()),
  Dimensions: v.optional(dimensionsSchema),
  EvaluationPeriods: v.number(),
  MetricName: v.string(),
  Namespace: v.string(),
  OKActions: v.optional(v.array(v.string())),
  Period: v.number(),
  Statistic: v.string(),
  Tags: v.optional(tagsSchema),
  Threshold: v.number(),
  TreatMissingData: v.optional(v.string()),
});

/** Tells the makers of the CDK what is used: nothing to run. */
const metadataSchema = v.strictObject({ Analytics: v.optional(v.string()) });

/**
 * Types that do nothing on one machine, each with the reason above. They are listed, with every property, so that
 * a new use of them is looked at.
 */
export const inertTypes: ResourceTypes = {
  'AWS::Logs::LogGroup': {
    properties: logGroupSchema,
    ref: physicalName,
    attributes: {
      Arn: (logicalId, stack) => arn('logs', `log-group:${physicalName(logicalId, stack)}:*`, stack),
    },
  },
  'AWS::CloudWatch::Alarm': {
    properties: alarmSchema,
    ref: physicalName,
    attributes: {
      Arn: (logicalId, stack) => arn('cloudwatch', `alarm:${physicalName(logicalId, stack)}`, stack),
    },
  },
  'AWS::CDK::Metadata': { properties: metadataSchema, ref: physicalName, attributes: {} },
};
