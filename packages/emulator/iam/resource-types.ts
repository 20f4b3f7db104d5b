import * as v from 'valibot';
import { physicalName } from '../shared/names.ts';
import {
  defineResourceType,
  optionalText,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';

const roleSchema = v.strictObject({
  AssumeRolePolicyDocument: policyDocumentSchema,
  Description: optionalText,
  ManagedPolicyArns: v.optional(v.array(v.string())),
  Policies: v.optional(
    v.array(v.strictObject({ PolicyName: v.string(), PolicyDocument: policyDocumentSchema })),
  ),
  Tags: tagListSchema,
});

export const roleType = defineResourceType('AWS::IAM::Role', roleSchema, {
  attributes: {
    Arn: (logicalId, stack) =>
      `arn:${stack.partition}:iam::${stack.accountId}:role/${physicalName(logicalId, stack)}`,
  },
});

export const policyType = defineResourceType(
  'AWS::IAM::Policy',
  v.strictObject({
    PolicyName: v.string(),
    PolicyDocument: policyDocumentSchema,
    Roles: v.array(v.string()),
  }),
);
