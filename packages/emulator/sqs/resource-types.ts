import * as v from 'valibot';
import { policiesFrom } from '../iam/policy-store.ts';
import { arnOf, physicalName, regionalArn } from '../shared/names.ts';
import {
  countSchema,
  defineResourceType,
  policyDocumentSchema,
  tagListSchema,
} from '../shared/resource-type.ts';

const queueSchema = v.strictObject({
  // Messages stay on the disk and the loopback interface of this machine.
  SqsManagedSseEnabled: v.optional(v.boolean()),
  MessageRetentionPeriod: v.optional(countSchema),
  VisibilityTimeout: v.optional(countSchema),
  /** Target of a message that was received too often without deletion. */
  RedrivePolicy: v.optional(
    v.strictObject({
      deadLetterTargetArn: v.string(),
      maxReceiveCount: v.pipe(v.number(), v.integer(), v.minValue(1), v.maxValue(1000)),
    }),
  ),
  Tags: tagListSchema,
});

export const queueType = defineResourceType('AWS::SQS::Queue', queueSchema, {
  ref: (logicalId, stack) =>
    `https://sqs.${stack.region}.${stack.urlSuffix}/${stack.accountId}/${physicalName(logicalId, stack)}`,
  attributes: { Arn: arnOf('sqs'), QueueName: physicalName },
});

export const queuePolicyType = defineResourceType(
  'AWS::SQS::QueuePolicy',
  v.strictObject({ Queues: v.array(v.string()), PolicyDocument: policyDocumentSchema }),
);

/** Returns the policies of the template's queues. */
export const queuePolicies = policiesFrom(queuePolicyType, ({ properties }, stack) => ({
  owners: properties.Queues.map((url) => regionalArn('sqs', queueName(url), stack)),
  document: properties.PolicyDocument,
}));

/** Returns the name of a queue: the last part of its URL or ARN. */
export function queueName(urlOrArn: string): string {
  return urlOrArn.split(/[/:]/).at(-1) ?? '';
}
