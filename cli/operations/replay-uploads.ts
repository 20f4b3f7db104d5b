import type { LambdaClient } from '@aws-sdk/client-lambda';
import type { Message, SQSClient } from '@aws-sdk/client-sqs';
import { lambdaClient, sqsClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';

/** Longer than the timeout of record-upload, so that no event is received again while it is being replayed. */
const visibilitySeconds = 120;

/** How many events were replayed, and how many failed. */
interface ReplayReport {
  readonly replayed: number;
  readonly failed: number;
}

/** An event that could not be replayed, and why. It stays in the queue. */
interface ReplayFailure {
  readonly message_id: string;
  readonly reason: string;
}

/** Sends every event in the dead-letter queue to `record-upload` again. Recorded events leave the queue. */
export async function replayUploads(
  deployment: Deployment,
  onFailure: (failure: ReplayFailure) => void,
): Promise<ReplayReport> {
  const queue = await sqsClient(deployment);
  const lambda = await lambdaClient(deployment);
  const seen = new Set<string>();
  const failed: Message[] = [];
  for (;;) {
    const messages = (await receive(queue, deployment)).filter(({ MessageId = '' }) => !seen.has(MessageId));
    if (messages.length === 0) {
      break;
    }
    const reasons = await Promise.all(messages.map((message) => replay(message, deployment, queue, lambda)));
    for (const [index, message] of messages.entries()) {
      const { MessageId: id = '' } = message;
      seen.add(id);
      const reason = reasons[index];
      if (reason === undefined) {
        continue;
      }
      failed.push(message);
      onFailure({ message_id: id, reason });
    }
  }
  await Promise.all(failed.map((message) => returnToQueue(message, deployment, queue)));
  return { replayed: seen.size - failed.length, failed: failed.length };
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
      // Long polling asks every server of the queue, so that an empty answer means an empty queue (SQS, "Long polling").
      WaitTimeSeconds: 1,
    }),
  );
  return Messages;
}

/** @returns the reason of a failure, or undefined */
async function replay(
  message: Message,
  { outputs }: Deployment,
  queue: SQSClient,
  lambda: LambdaClient,
): Promise<string | undefined> {
  if (!isJson(message.Body)) {
    return 'The message is not an event.';
  }
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const answer = await lambda.send(
    new InvokeCommand({ FunctionName: outputs.RecordUploadFunctionName, Payload: Buffer.from(message.Body) }),
  );
  if (answer.FunctionError !== undefined) {
    return errorText(answer.Payload);
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
function errorText(payload: Uint8Array | undefined): string {
  const text = Buffer.from(payload ?? []).toString('utf8');
  const message: unknown = isJson(text) ? JSON.parse(text) : undefined;
  if (typeof message === 'object' && message !== null && 'errorMessage' in message) {
    return String(message.errorMessage);
  }
  return 'The function failed.';
}
