import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { arnOf } from '../shared/names.ts';
import {
  defineResourceType,
  optionalText,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';

/** Subscriptions inside the topic, and FIFO topics, are not supported. */
const topicSchema = v.strictObject({
  DisplayName: optionalText,
  Tags: tagListSchema,
});

export const topicType = defineResourceType('AWS::SNS::Topic', topicSchema, {
  ref: arnOf('sns'),
  attributes: { TopicArn: arnOf('sns') },
});

/** An address that subscribes to a topic. The emulator stores messages in a file and does not send them. */
export const subscriptionType = defineResourceType(
  'AWS::SNS::Subscription',
  v.strictObject({ Endpoint: v.string(), Protocol: v.string(), TopicArn: v.string() }),
);

export const topicPolicyType = defineResourceType(
  'AWS::SNS::TopicPolicy',
  v.strictObject({ Topics: v.array(v.string()), PolicyDocument: policyDocumentSchema }),
);

/** Returns the policies of the template's topics. A topic without a policy rejects every publisher here. */
export const topicPolicies = policiesFrom(topicPolicyType, ({ properties }) => ({
  owners: properties.Topics,
  document: properties.PolicyDocument,
}));
