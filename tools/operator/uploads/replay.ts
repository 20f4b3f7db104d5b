import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { invokeFunction } from '../deployment/invoke-function.ts';

/** Longer than the timeout of record-upload, so that no event is received again while it is being replayed. */
const visibilitySeconds = 120;

/** How many events were replayed, and how many failed. */
export interface ReplayReport {
  readonly replayed: number;
  readonly failed: number;
}

/** An event that could not be replayed, and why. It stays in the queue. */
interface ReplayFailure {
  readonly message_id: string;
  readonly reason: string;
}

/**
 * Sends every event in the dead-letter queue to `record-upload` again. Recorded events leave the queue. It ends when the
 * queue gives out nothing more. Each event is tried once in a run.
 */
export async function replayUploads(
  deployment: Deployment,
  onFailure: (failure: ReplayFailure) => void,
): Promise<ReplayReport> {
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
  await Promise.all([...failed.values()].map((message) => returnToQueue(message, deployment, queue)));
  return { replayed, failed: failed.size };
}

/** Makes a received message visible again, for the next replay and the alarm. */
async function returnToQueue(
  { ReceiptHandle }: Message,
  { outputs }: Deployment,
  queue: SQSClient,
): Promise<void> {
  const { ChangeMessageVisibilityCommand } = await import('@aws-sdk/client-sqs');
  const visible = { QueueUrl: outputs.DeadLetterQueueUrl, ReceiptHandle, VisibilityTimeout: 0 };
  await queue.send(new ChangeMessageVisibilityCommand(visible));
}

async function receive(queue: SQSClient, { outputs }: Deployment): Promise<readonly Message[]> {
  const { ReceiveMessageCommand } = await import('@aws-sdk/client-sqs');
  const { Messages = [] } = await queue.send(
    new ReceiveMessageCommand({
      QueueUrl: outputs.DeadLetterQueueUrl,
      MaxNumberOfMessages: 10,
      VisibilityTimeout: visibilitySeconds,
      // Long polling asks every server of the queue: it gives nothing only if there is nothing (SQS, "Short and long polling").
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

/** @returns the reason of a failure, or undefined */
async function replay(
  message: Message,
  deployment: Deployment,
  queue: SQSClient,
): Promise<string | undefined> {
  const { outputs } = deployment;
  if (!isJson(message.Body)) {
    return 'The message is not an event.';
  }
  try {
    const { text, failed } = await invokeFunction(deployment, outputs.RecordUploadFunctionName, message.Body);
    if (failed) {
      return errorText(text);
    }
  } catch (error) {
    // Lambda refuses an invocation while too many run (Lambda API reference, Invoke). The SDK has tried again by then.
    if (error instanceof Error && error.name === 'TooManyRequestsException') {
      return 'The function takes no more invocations now.';
    }
    throw error;
  }
  const { DeleteMessageCommand } = await import('@aws-sdk/client-sqs');
  await queue.send(
    new DeleteMessageCommand({ QueueUrl: outputs.DeadLetterQueueUrl, ReceiptHandle: message.ReceiptHandle }),
  );
  return undefined;
}

function isJson(body: string | undefined): body is string {
  try {
    JSON.parse(body ?? '');
    return true;
  } catch {
    return false;
  }
}

/** Lambda reports `{"errorType","errorMessage"}`: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
function errorText(text: string): string {
  const message: unknown = isJson(text) ? JSON.parse(text) : undefined;
  if (typeof message === 'object' && message !== null && 'errorMessage' in message) {
    return String(message.errorMessage);
  }
  return 'The function failed.';
}
