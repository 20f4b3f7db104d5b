import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { countDeadLetters } from './dead-letters.ts';
import { sqsClient } from './deployment/aws-clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { OperationError } from './errors.ts';
import { invokeFunction } from './invoke-function.ts';
import { counted } from './text.ts';

/** Longer than the timeout of record-upload, so that no event is received again while it is being replayed. */
const visibilitySeconds = 120;

/** How many events were replayed, and how many failed. */
export interface ReplayReport {
  readonly replayed: number;
  readonly failed: number;
  /** Events that the queue counts, and gave to nobody. Absent: none. */
  readonly left?: number;
}

/** An event that could not be replayed, and why. It stays in the queue. */
interface ReplayFailure {
  readonly message_id: string;
  readonly reason: string;
}

/** What a replay tells while it runs. */
export interface ReplayOptions {
  readonly onFailure: (failure: ReplayFailure) => void;
  /** Called with the number of events that were tried so far. */
  readonly progress?: (done: number) => void;
}

/**
 * Receives without a new event after which the replay ends although the queue counts more. Its counts are approximate, and
 * some events may be held by another replay.
 */
const maximumEmptyReceives = 10;

/**
 * Sends every event in the dead-letter queue to `record-upload` again. Recorded events leave the queue. It ends when the
 * queue counts nothing but what failed in this run: an empty receive alone is no proof (SQS, "Short and long polling").
 * Each event is tried once in a run, so it ends even if events stay.
 */
export async function replayUploads(deployment: Deployment, options: ReplayOptions): Promise<ReplayReport> {
  const queue = await sqsClient(deployment);
  const seen = new Set<string>();
  const failed: Message[] = [];
  let left = 0;
  for (let empty = 0; empty < maximumEmptyReceives; ) {
    const messages = (await receive(queue, deployment)).filter(({ MessageId = '' }) => !seen.has(MessageId));
    if (messages.length === 0) {
      const { waiting, received } = await countDeadLetters(deployment);
      left = Math.max(waiting + received - failed.length, 0);
      if (left === 0) {
        break;
      }
      empty += 1;
      continue;
    }
    empty = 0;
    const outcomes = await Promise.all(messages.map((message) => replay(message, deployment, queue)));
    for (const [index, message] of messages.entries()) {
      const { MessageId: id = '' } = message;
      seen.add(id);
      const reason = outcomes[index];
      if (reason !== undefined) {
        failed.push(message);
        options.onFailure({ message_id: id, reason });
      }
    }
    options.progress?.(seen.size);
  }
  await Promise.all(failed.map((message) => returnToQueue(message, deployment, queue)));
  return { replayed: seen.size - failed.length, failed: failed.length, ...(left > 0 && { left }) };
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
      // Long polling asks every server of the queue (SQS, "Short and long polling").
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

/** What is said of a replay. */
export function describeReplay({ replayed, failed }: ReplayReport): string {
  return `${counted(replayed, 'event')} replayed, ${failed} failed.`;
}

/** Says that the queue holds more, if it does. */
export function describeLeft({ left }: ReplayReport): readonly string[] {
  return left === undefined
    ? []
    : [
        `The queue counts ${counted(left, 'more event')} that it did not give out. Another replay may hold ` +
          'them, or the count is late. Replay again in two minutes.',
      ];
}

/** @throws {OperationError} when events stayed in the queue */
export function requireAllReplayed({ failed, left }: ReplayReport): void {
  if (failed > 0) {
    throw new OperationError(
      'failed',
      `${counted(failed, 'event')} could not be recorded and stayed in the queue. ` +
        'Read the log of the record-upload function, fix the cause and replay again.',
      { do: 'replay uploads' },
    );
  }
  if (left !== undefined) {
    throw new OperationError('failed', 'The queue is not empty. Replay again.', { do: 'replay uploads' });
  }
}
