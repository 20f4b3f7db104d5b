import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { counted } from '../text.ts';
import { failed, type Outcome, ok } from './finding.ts';

/** Whether events of uploads are in the dead-letter queue. Events that a replay is working on count too. */
export async function checkDeadLetters(deployment: Deployment): Promise<Outcome> {
  const queue = await sqsClient(deployment);
  const { Attributes = {} } = await queue.getQueueAttributes({
    QueueUrl: deployment.outputs.DeadLetterQueueUrl,
    AttributeNames: ['ApproximateNumberOfMessages', 'ApproximateNumberOfMessagesNotVisible'],
  });
  const total = Object.values(Attributes).reduce((sum, count) => sum + Number(count), 0);
  if (total === 0) {
    return ok('none');
  }
  return failed(
    `${counted(total, 'upload event')} could not be recorded: the bytes are stored, but the uploads are not completed.`,
    'Read the log of the record-upload function and fix the cause. Then replay the events.',
    { noun: 'upload', verb: 'replay' },
  );
}
