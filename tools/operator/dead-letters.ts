import { sqsClient } from './deployment/aws-clients.ts';
import type { Deployment } from './deployment/deployment.ts';

/** Events of uploads that could not be recorded. */
export interface DeadLetters {
  readonly waiting: number;
  /** A replay, or somebody else, has received these and not deleted them yet. */
  readonly received: number;
}

/** Counts the events in the dead-letter queue, as SQS estimates them. */
export async function countDeadLetters(deployment: Deployment): Promise<DeadLetters> {
  const { GetQueueAttributesCommand } = await import('@aws-sdk/client-sqs');
  const queue = await sqsClient(deployment);
  const { Attributes = {} } = await queue.send(
    new GetQueueAttributesCommand({
      QueueUrl: deployment.outputs.DeadLetterQueueUrl,
      AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
    }),
  );
  return {
    waiting: Number(Attributes.ApproximateNumberOfMessages ?? 0),
    received: Number(Attributes.ApproximateNumberOfMessagesNotVisible ?? 0),
  };
}
