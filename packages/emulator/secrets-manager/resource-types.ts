import * as v from 'valibot';
import { digestOf, physicalName, regionalArn, type StackIdentity } from '../shared/names.ts';
import { countSchema, defineResourceType, optionalText, tagListSchema } from '../shared/resource-type.ts';

const secretSchema = v.strictObject({
  Description: optionalText,
  KmsKeyId: optionalText,
  SecretString: optionalText,
  Tags: tagListSchema,
});

/** The rules of a schedule in RotateSecret. */
export const rotationRulesSchema = v.strictObject({ AutomaticallyAfterDays: countSchema });

export type RotationRules = v.InferOutput<typeof rotationRulesSchema>;

export const secretType = defineResourceType('AWS::SecretsManager::Secret', secretSchema, {
  ref: secretArn,
  attributes: { Id: secretArn },
});

/** The ARN of a secret ends in a hyphen and six characters. AWS draws the characters at random. */
function secretArn(logicalId: string, stack: StackIdentity): string {
  const name = physicalName(logicalId, stack);
  return regionalArn('secretsmanager', `secret:${name}-${digestOf(name, 6)}`, stack);
}
