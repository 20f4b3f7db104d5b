import * as v from 'valibot';
import { physicalName, regionalArn } from '../shared/names.ts';
import { defineResourceType, optionalText, tagListSchema } from '../shared/resource-type.ts';

/** Logs go to files in the state folder. They never expire. */
const logGroupSchema = v.strictObject({
  /**
   * Ignored: as for other resources, the name is derived from the logical ID, because `Ref` must be known
   * before properties are read.
   */
  LogGroupName: optionalText,
  RetentionInDays: v.optional(v.number()),
  Tags: tagListSchema,
});

export const logGroupType = defineResourceType('AWS::Logs::LogGroup', logGroupSchema, {
  attributes: {
    Arn: (logicalId, stack) => regionalArn('logs', `log-group:${physicalName(logicalId, stack)}:*`, stack),
  },
});

/** Counts lines of a log group: see metric-filters.ts. */
const metricFilterSchema = v.strictObject({
  FilterPattern: v.string(),
  LogGroupName: v.string(),
  MetricTransformations: v.array(
    v.strictObject({ MetricName: v.string(), MetricNamespace: v.string(), MetricValue: v.literal('1') }),
  ),
});

/** A query that CloudWatch shows to people. The emulator cannot run it, so it checks only its form. */
const queryDefinitionSchema = v.strictObject({
  Name: v.pipe(v.string(), v.minLength(1), v.maxLength(255)),
  QueryString: v.pipe(v.string(), v.minLength(1), v.maxLength(10_000)),
  LogGroupNames: v.optional(v.pipe(v.array(v.string()), v.maxLength(50))),
});

export const queryDefinitionType = defineResourceType('AWS::Logs::QueryDefinition', queryDefinitionSchema);

export const metricFilterType = defineResourceType('AWS::Logs::MetricFilter', metricFilterSchema);
