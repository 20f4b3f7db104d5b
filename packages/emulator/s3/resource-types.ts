import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { digestOf, physicalName, type StackIdentity } from '../shared/names.ts';
import {
  countSchema,
  defineResourceType,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';

/** A lifecycle rule, which lifecycle.ts applies. */
const lifecycleRuleSchema = v.strictObject({
  Status: v.picklist(['Enabled', 'Disabled']),
  // Ignored: the emulator has no multipart uploads to abort.
  AbortIncompleteMultipartUpload: v.optional(v.strictObject({ DaysAfterInitiation: countSchema })),
  ExpirationInDays: v.optional(countSchema),
  ExpiredObjectDeleteMarker: v.optional(v.boolean()),
  TagFilters: v.optional(v.array(v.strictObject({ Key: v.string(), Value: v.string() }))),
  NoncurrentVersionExpiration: v.optional(v.strictObject({ NoncurrentDays: countSchema })),
});

export type LifecycleRule = v.InferOutput<typeof lifecycleRuleSchema>;

const encryptionSchema = v.strictObject({
  ServerSideEncryptionConfiguration: v.array(
    v.strictObject({
      ServerSideEncryptionByDefault: v.strictObject({ SSEAlgorithm: v.literal('AES256') }),
    }),
  ),
});

const bucketSchema = v.strictObject({
  BucketEncryption: v.optional(encryptionSchema),
  LifecycleConfiguration: v.optional(
    v.strictObject({
      Rules: v.array(lifecycleRuleSchema),
    }),
  ),
  NotificationConfiguration: v.optional(
    v.strictObject({
      EventBridgeConfiguration: v.strictObject({ EventBridgeEnabled: v.optional(v.literal(true)) }),
    }),
  ),
  // Every request needs a signature, and there are no ACLs.
  OwnershipControls: v.optional(
    v.strictObject({ Rules: v.array(v.strictObject({ ObjectOwnership: v.literal('BucketOwnerEnforced') })) }),
  ),
  PublicAccessBlockConfiguration: v.optional(
    v.strictObject({
      BlockPublicAcls: v.literal(true),
      BlockPublicPolicy: v.literal(true),
      IgnorePublicAcls: v.literal(true),
      RestrictPublicBuckets: v.literal(true),
    }),
  ),
  VersioningConfiguration: v.strictObject({ Status: v.literal('Enabled') }),
  Tags: tagListSchema,
});

export const bucketType = defineResourceType('AWS::S3::Bucket', bucketSchema, {
  ref: bucketName,
  attributes: {
    Arn: (logicalId, stack) => bucketArn(bucketName(logicalId, stack), stack),
  },
});

export const bucketPolicyType = defineResourceType(
  'AWS::S3::BucketPolicy',
  v.strictObject({ Bucket: v.string(), PolicyDocument: policyDocumentSchema }),
);

/** Returns the policies of the template's buckets. */
export const bucketPolicies = policiesFrom(bucketPolicyType, ({ properties }, stack) => ({
  owners: [bucketArn(properties.Bucket, stack)],
  document: properties.PolicyDocument,
}));

export function bucketArn(name: string, stack: StackIdentity): string {
  return `arn:${stack.partition}:s3:::${name}`;
}

/** Bucket names are lower case, with at most 63 characters (S3, "General purpose bucket naming rules"). */
function bucketName(logicalId: string, stack: StackIdentity): string {
  const name = physicalName(logicalId, stack).toLowerCase();
  return name.length <= 63 ? name : `${name.slice(0, 54)}-${digestOf(name, 8)}`;
}
