import * as v from 'valibot';
import { type PolicyDocument, resourcePolicy } from '../iam/policy-store.ts';
import { digestOf, physicalName, regionalArn, type StackIdentity } from '../shared/names.ts';
import {
  countSchema,
  defineResourceType,
  ofType,
  policyDocumentSchema,
  type Resource,
  tagListSchema,
} from '../shared/resource-type.ts';

const secretSchema = v.strictObject({
  Description: v.optional(v.string()),
  KmsKeyId: v.optional(v.string()),
  SecretString: v.optional(v.string()),
  Tags: tagListSchema,
});

/** The rules of a schedule, in a template and in RotateSecret. */
export const rotationRulesSchema = v.strictObject({
  AutomaticallyAfterDays: v.optional(countSchema),
  ScheduleExpression: v.optional(v.string()),
  Duration: v.optional(v.string()),
});

export type RotationRules = v.InferOutput<typeof rotationRulesSchema>;

const rotationScheduleSchema = v.strictObject({
  SecretId: v.string(),
  RotationLambdaARN: v.string(),
  RotationRules: rotationRulesSchema,
  RotateImmediatelyOnUpdate: v.optional(v.boolean()),
});

export const secretType = defineResourceType('AWS::SecretsManager::Secret', secretSchema, {
  ref: secretArn,
  attributes: { Id: secretArn },
});

export const rotationScheduleType = defineResourceType(
  'AWS::SecretsManager::RotationSchedule',
  rotationScheduleSchema,
);

export const secretPolicyType = defineResourceType(
  'AWS::SecretsManager::ResourcePolicy',
  v.strictObject({
    SecretId: v.string(),
    ResourcePolicy: policyDocumentSchema,
    BlockPublicPolicy: v.optional(v.boolean()),
  }),
);

/** The policies of the template's secrets. */
export function secretPolicies(resources: readonly Resource[]): PolicyDocument[] {
  return ofType(resources, secretPolicyType).map(({ logicalId, properties }) =>
    resourcePolicy(properties.SecretId, properties.ResourcePolicy, logicalId),
  );
}

/** The ARN of a secret ends in a hyphen and six characters. AWS draws them at random. */
function secretArn(logicalId: string, stack: StackIdentity): string {
  const name = physicalName(logicalId, stack);
  return regionalArn('secretsmanager', `secret:${name}-${digestOf(name, 6)}`, stack);
}
