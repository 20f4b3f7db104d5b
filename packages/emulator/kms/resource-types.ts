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

/** A key encrypts no data here, but its policy decides who may use it. */
const keySchema = v.strictObject({
  Description: optionalText,
  EnableKeyRotation: v.optional(v.boolean()),
  PendingWindowInDays: v.optional(countSchema),
  KeyPolicy: policyDocumentSchema,
  Tags: tagListSchema,
});

export const keyType = defineResourceType('AWS::KMS::Key', keySchema, {
  ref: keyId,
  attributes: {
    Arn: (logicalId, stack) => regionalArn('kms', `key/${keyId(logicalId, stack)}`, stack),
    KeyId: keyId,
  },
});

/** Returns the policies of the template's keys. */
export const keyPolicies = policiesFrom(keyType, ({ attributes, properties }) => ({
  owners: [attributes.Arn ?? ''],
  document: properties.KeyPolicy,
}));

/** Derives a key ID, a UUID, from the logical ID. AWS generates it at random. */
function keyId(logicalId: string, stack: StackIdentity): string {
  const hex = digestOf(physicalName(logicalId, stack), 32);
  return [0, 8, 12, 16, 20].map((start, i) => hex.slice(start, [8, 12, 16, 20, 32][i])).join('-');
}
