import type { AwsService } from '../registry/aws-service.ts';
import { subscriptionType, topicPolicies, topicPolicyType, topicType } from './resource-types.ts';

/** SNS. It serves no calls: CloudWatch publishes to its topics (publish.ts). */
export const sns = {
  resourceTypes: [subscriptionType, topicPolicyType, topicType],
  policies: topicPolicies,
} satisfies AwsService;
