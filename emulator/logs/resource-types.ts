import * as v from 'valibot';
import { physicalName, regionalArn } from '../shared/names.ts';
import { defineResourceType, tagListSchema } from '../shared/resource-type.ts';

/** Logs go to files in the state folder. They never expire. */
const logGroupSchema = v.strictObject({
  RetentionInDays: v.optional(v.number()),
  KmsKeyId: v.optional(v.string()),
  LogGroupClass: v.optional(v.string()),
  DeletionProtectionEnabled: v.optional(v.boolean()),
  Tags: tagListSchema,
});

export const logGroupType = defineResourceType('AWS::Logs::LogGroup', logGroupSchema, {
  attributes: {
    Arn: (logicalId, stack) => regionalArn('logs', `log-group:${physicalName(logicalId, stack)}:*`, stack),
  },
});
