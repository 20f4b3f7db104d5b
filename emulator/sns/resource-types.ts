import * as v from 'valibot';
import { type PolicyDocument, resourcePolicy } from '../iam/policy-store.ts';
import { arnOf, physicalName, type StackIdentity } from '../shared/names.ts';
import {
  defineResourceType,
  ofType,
  policyDocumentSchema,
  type Resource,
  tagListSchema,
} from '../shared/resource-type.ts';

/** Subscriptions inside the topic, and FIFO topics, are not supported. */
const topicSchema = v.strictObject({
  DisplayName: v.optional(v.string()),
  // Messages stay on the disk of this machine.
  KmsMasterKeyId: v.optional(v.string()),
  Tags: tagListSchema,
});

export const topicType = defineResourceType('AWS::SNS::Topic', topicSchema, {
  ref: arnOf('sns'),
  attributes: { TopicArn: arnOf('sns'), TopicName: physicalName },
});

/** Whom a topic tells. Nobody is told: the emulator writes down who would be. */
export const subscriptionType = defineResourceType(
  'AWS::SNS::Subscription',
  v.strictObject({ Endpoint: v.string(), Protocol: v.string(), TopicArn: v.string() }),
);

export const topicPolicyType = defineResourceType(
  'AWS::SNS::TopicPolicy',
  v.strictObject({ Topics: v.array(v.string()), PolicyDocument: policyDocumentSchema }),
);

/** One topic has one policy. It takes the place of the topic's own (CloudFormation, AWS::SNS::TopicInlinePolicy). */
export const topicInlinePolicyType = defineResourceType(
  'AWS::SNS::TopicInlinePolicy',
  v.strictObject({ TopicArn: v.string(), PolicyDocument: policyDocumentSchema }),
);

/**
 * The policies of the template's topics. A topic without one has that of SNS, by which everything in its own account may
 * publish (SNS Developer Guide, "Overview of managing access").
 */
export function topicPolicies(resources: readonly Resource[], stack: StackIdentity): PolicyDocument[] {
  const given = [
    ...ofType(resources, topicPolicyType).flatMap(({ logicalId, properties }) =>
      properties.Topics.map((arn) => resourcePolicy(arn, properties.PolicyDocument, logicalId)),
    ),
    ...ofType(resources, topicInlinePolicyType).map(({ logicalId, properties }) =>
      resourcePolicy(properties.TopicArn, properties.PolicyDocument, logicalId),
    ),
  ];
  const without = ofType(resources, topicType).filter(
    ({ ref }) => !given.some(({ owners }) => owners.includes(ref)),
  );
  return [
    ...given,
    ...without.map(({ ref, logicalId }) => resourcePolicy(ref, ownAccount(ref, stack), logicalId)),
  ];
}

function ownAccount(topicArn: string, { accountId }: StackIdentity) {
  return {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Principal: '*',
        Action: 'sns:Publish',
        Resource: topicArn,
        Condition: { StringEquals: { 'aws:SourceAccount': accountId } },
      },
    ],
  };
}
