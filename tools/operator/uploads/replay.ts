import type { Message, SQS } from '@aws-sdk/client-sqs';
import * as v from 'valibot';
import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';

/** Longer than the timeout of record-upload, so that no event is received again while it is being replayed. */
const visibilitySeconds = 120;

/** An event that could not be replayed, and why. It stays in the queue. */
interface ReplayFailure {
  readonly message_id: string;
  readonly reason: string;
}

/**
 * Sends every event in the dead-letter queue to `record-upload` again. Recorded events leave the queue. The run ends
 * when the queue gives out no more events. Each event is tried once in a run.
 *
 * @returns how many events were replayed, and how many failed
 */
export async function replayUploads(
  deployment: Deployment,
  onFailure: (failure: ReplayFailure) => void,
): Promise<{ readonly replayed: number; readonly failed: number }> {
  const queue = await sqsClient(deployment);
  const failed = new Map<string, Message>();
  let replayed = 0;
  for (;;) {
    const received = await receive(queue, deployment);
    if (received.length === 0) {
      break;
    }
    const messages = received.filter(({ MessageId = '' }) => !failed.has(MessageId));
    await Promise.all(
      messages.map(async (message) => {
        const { MessageId: message_id = '' } = message;
        const reason = await replay(message, deployment, queue);
        if (reason === undefined) {
          replayed += 1;
        } else {
          failed.set(message_id, message);
          onFailure({ message_id, reason });
        }
      }),
    );
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

/** @returns the reason of a failure, or undefined */
async function replay(
  { Body, ReceiptHandle }: Message,
  deployment: Deployment,
  queue: SQS,
): Promise<string | undefined> {
  const { DeadLetterQueueUrl, RecordUploadFunctionName } = deployment.outputs;
  const event = v.safeParse(jsonSchema, Body);
  if (!event.success) {
    return 'The message is not an event.';
  }
  try {
    const { problem } = await invokeFunction(deployment, RecordUploadFunctionName, event.output, v.unknown());
    if (problem !== undefined) {
      const failure = v.safeParse(failureSchema, problem);
      return failure.success ? failure.output.errorMessage : 'The function failed.';
    }
  } catch (error) {
    // Lambda refuses an invocation while too many run (Lambda API reference, Invoke). The SDK has tried again by then.
    if (error instanceof Error && error.name === 'TooManyRequestsException') {
      return 'The function takes no more invocations now.';
    }
    throw error;
  }
  await queue.deleteMessage({ QueueUrl: DeadLetterQueueUrl, ReceiptHandle });
  return undefined;
}

const jsonSchema = v.pipe(v.string(), v.parseJson());

/** What Lambda reports of an error: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
const failureSchema = v.pipe(jsonSchema, v.object({ errorMessage: v.string() }));
