import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { digestOf, physicalName, regionalArn, type StackIdentity } from '../shared/names.ts';
import {
  countSchema,
  defineResourceType,
  optionalText,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';

const secretSchema = v.strictObject({
  Description: optionalText,
  KmsKeyId: optionalText,
  SecretString: optionalText,
  Tags: tagListSchema,
});

/** Rules of a schedule in RotateSecret. */
export const rotationRulesSchema = v.strictObject({ AutomaticallyAfterDays: countSchema });

export type RotationRules = v.InferOutput<typeof rotationRulesSchema>;

export const secretType = defineResourceType('AWS::SecretsManager::Secret', secretSchema, {
  ref: secretArn,
  attributes: { Id: secretArn },
});

export const resourcePolicyType = defineResourceType(
  'AWS::SecretsManager::ResourcePolicy',
  v.strictObject({ SecretId: v.string(), ResourcePolicy: policyDocumentSchema }),
);

/** Returns the policies of the template's secrets. */
export const secretPolicies = policiesFrom(resourcePolicyType, ({ properties }) => ({
  owners: [properties.SecretId],
  document: properties.ResourcePolicy,
}));

function secretArn(logicalId: string, stack: StackIdentity): string {
  return secretArnOf(physicalName(logicalId, stack), stack);
}

/**
 * Derives the ARN of a secret, which ends in a hyphen and six characters. AWS generates the characters at
 * random.
 */
export function secretArnOf(name: string, stack: StackIdentity): string {
  return regionalArn('secretsmanager', `secret:${name}-${digestOf(name, 6)}`, stack);
}
