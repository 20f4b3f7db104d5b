import type { Message } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';
import { invokedFunctions, responseLimit } from '../deployment/invoked-functions.ts';
import type { ActionContext } from '../description/action.ts';
import { printable } from '../text.ts';

/**
 * Seconds for which an event is hidden from other receivers. Longer than its replay, even if Lambda is busy
 * and the invocation is retried.
 */
const visibilitySeconds = (2 * responseLimit(invokedFunctions.RecordUploadFunctionName.minutes)) / 1000;

/**
 * Sends the events in the dead-letter queue to `record-upload` again, each event once in a run. Recorded
 * events are deleted from the queue. The run ends when the queue returns no more events.
 *
 * @returns the numbers of replayed and of failed events
 */
export async function replayUploads(context: Pick<ActionContext, 'deployment' | 'progress' | 'note'>) {
  const { deployment, progress, note } = context;
  const queue = await sqsClient(deployment);
  const QueueUrl = deployment.outputs.DeadLetterQueueUrl;
  const failed = new Map<string, Message>();
  let replayed = 0;
  for (;;) {
    const { Messages: messages = [] } = await queue.receiveMessage({
      QueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: visibilitySeconds,
      // Long polling queries all servers of the queue, so an empty response means an empty queue (SQS, "Short
      // and long polling").
      WaitTimeSeconds: 1,
    });
    if (messages.length === 0) {
      break;
    }
    const attempt = async (message: Message) => {
      const { MessageId: id = '', ReceiptHandle } = message;
      if (failed.has(id)) {
        return;
      }
      const soFar = `${replayed} replayed, ${failed.size} failed so far; `;
      const problem = await replay(deployment, message, (sentence) => progress(soFar + sentence));
      if (problem === undefined) {
        await queue.deleteMessage({ QueueUrl, ReceiptHandle });
        replayed += 1;
      } else {
        failed.set(id, message);
        note(`${printable(id)}: ${problem}`);
      }
    };
    await Promise.all(messages.map(attempt));
  }
  // Returns failed events to the queue immediately, for the next replay and the alarm.
  await Promise.all(
    [...failed.values()].map(({ ReceiptHandle }) =>
      queue.changeMessageVisibility({ QueueUrl, ReceiptHandle, VisibilityTimeout: 0 }),
    ),
  );
  return { replayed, failed: failed.size };
}

/**
 * Replays one event.
 *
 * @returns the reason if the event was not recorded. Undefined if it was recorded
 */
async function replay(
  deployment: Deployment,
  { Body }: Message,
  progress: ActionContext['progress'],
): Promise<string | undefined> {
  const event = v.safeParse(v.pipe(v.string(), v.parseJson(), v.looseObject({})), Body);
  if (!event.success) {
    return 'The message is not an event.';
  }
  const { problem } = await invokeFunction(
    deployment,
    'RecordUploadFunctionName',
    event.output,
    v.unknown(),
    progress,
  );
  return problem;
}
