import type { Message, SQS } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import { answerLimit, invokedFunctions } from '../deployment/invoked-functions.ts';
import type { Work } from '../description/action.ts';
import { printable } from '../text.ts';

/** No event is received again while it is being replayed, even if Lambda is asked again because it was busy. */
const visibilitySeconds = (2 * answerLimit(invokedFunctions.RecordUploadFunctionName.minutes)) / 1000;

/**
 * Sends every event in the dead-letter queue to `record-upload` again. Recorded events leave the queue. The run ends
 * when the queue gives out no more events. Each event is tried once in a run.
 *
 * @returns how many events were replayed, and how many failed
 */
export async function replayUploads(work: Pick<Work, 'deployment' | 'progress' | 'note'>) {
  const { deployment, progress, note } = work;
  const queue = await sqsClient(deployment);
  const failed = new Map<string, Message>();
  let replayed = 0;
  for (;;) {
    const messages = await receive(queue, deployment);
    if (messages.length === 0) {
      break;
    }
    const attempt = async (message: Message) => {
      const { MessageId: id = '' } = message;
      const soFar = `${replayed} replayed, ${failed.size} failed so far; `;
      const problem = await replay(message, deployment, queue, (sentence) => progress(soFar + sentence));
      if (problem === undefined) {
        replayed += 1;
      } else {
        failed.set(id, message);
        note(`${printable(id)}: ${problem}`);
      }
    };
    await Promise.all(messages.filter(({ MessageId = '' }) => !failed.has(MessageId)).map(attempt));
  }
  // Failed events are visible again immediately, for the next replay and the alarm.
  const visible = { QueueUrl: deployment.outputs.DeadLetterQueueUrl, VisibilityTimeout: 0 };
  await Promise.all(
    [...failed.values()].map(({ ReceiptHandle }) =>
      queue.changeMessageVisibility({ ...visible, ReceiptHandle }),
    ),
  );
  return { replayed, failed: failed.size };
}

async function receive(queue: SQS, { outputs }: Deployment): Promise<readonly Message[]> {
  const { Messages = [] } = await queue.receiveMessage({
    QueueUrl: outputs.DeadLetterQueueUrl,
    MaxNumberOfMessages: 10,
    VisibilityTimeout: visibilitySeconds,
    // Long polling asks every server of the queue, so an empty answer means an empty queue (SQS, "Short and long polling").
    WaitTimeSeconds: 1,
  });
  return Messages;
}

/** @returns why the event stays in the queue; undefined: it was recorded, and left the queue */
async function replay(
  { Body, ReceiptHandle }: Message,
  deployment: Deployment,
  queue: SQS,
  progress: Work['progress'],
): Promise<string | undefined> {
  const event = v.safeParse(v.pipe(v.string(), v.parseJson()), Body);
  if (!event.success) {
    return 'The message is not an event.';
  }
  const output = 'RecordUploadFunctionName';
  const { problem } = await invokeFunction(deployment, output, event.output, v.unknown(), progress);
  if (problem === undefined) {
    await queue.deleteMessage({ QueueUrl: deployment.outputs.DeadLetterQueueUrl, ReceiptHandle });
  }
  return problem;
}
