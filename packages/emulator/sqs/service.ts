import { join } from 'node:path';
import type { CloudWatchSettings } from '../cloudwatch/open-cloudwatch.ts';
import { cloudWatch } from '../cloudwatch/service.ts';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { countCalls } from '../protocols/calls.ts';
import { findOperation, type Input, type Output, type Service } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { regionalArn } from '../shared/names.ts';
import { isHandle, md5, openQueues, type Queue, type ReceivedMessage } from './queues.ts';
import { queueName, queuePolicies, queuePolicyType, queueType } from './resource-types.ts';

/** SQS. Each message is a file. */
export const sqs = {
  resourceTypes: [queuePolicyType, queueType],
  policies: queuePolicies,
  start: async (emulator, use) => {
    const { stateDirectory, resources, now, onCall } = emulator;
    const queues = await openQueues(join(stateDirectory, 'sqs'), resources, now);
    const { sample, metrics } = await use(cloudWatch);
    sample(() => metrics.queues(queues));
    return {
      queues,
      endpoint: {
        protocol: 'json',
        name: 'sqs',
        target: 'AmazonSQS',
        namespace: 'com.amazonaws.sqs',
        version: '1.0',
        serve: countCalls('sqs', createSqs(queues, emulator), onCall),
      },
    };
  },
} satisfies AwsService<CloudWatchSettings>;

type Operation = (queue: Queue, input: Input) => Promise<Output>;

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: sendMessage,
  ReceiveMessage: receiveMessage,
  DeleteMessage: deleteMessage,
  ChangeMessageVisibility: changeMessageVisibility,
  GetQueueAttributes: getQueueAttributes,
};

/** SQS (API reference, version 2012-11-05, JSON protocol): the operations that read and replay a dead-letter queue. */
function createSqs(queues: ReadonlyMap<string, Queue>, access: Access): Service {
  return async ({ principal, operation, input }) => {
    const act = findOperation(operations, operation);
    const name = queueName(String(input.QueueUrl ?? ''));
    const queue = queues.get(name);
    if (queue === undefined) {
      throw new AwsError(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    }
    const resource = regionalArn('sqs', name, access.stack);
    requireAllowed({ principal, action: `sqs:${operation}`, resource }, access, [403, 'AccessDenied']);
    return act(queue, input);
  };
}

async function sendMessage(queue: Queue, input: Input) {
  if (input.MessageAttributes !== undefined) {
    throw new AwsError(400, 'UnsupportedOperation', 'Message attributes are not supported by the emulator');
  }
  const { id, body } = await queue.send(String(input.MessageBody ?? ''), {});
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

async function receiveMessage(queue: Queue, input: Input) {
  const most = Math.min(10, Math.max(1, Number(input.MaxNumberOfMessages ?? 1)));
  const visibility = input.VisibilityTimeout === undefined ? undefined : Number(input.VisibilityTimeout);
  const messages = await queue.receive(most, visibility);
  return messages.length === 0 ? {} : { Messages: messages.map((message) => describe(message, input)) };
}

/** A message with the attributes that the request names. By default a message has no attributes. */
function describe(message: ReceivedMessage, input: Input) {
  const { id, body, attributes, sentAt, receiptHandle, receiveCount } = message;
  const Attributes = pick(
    { SentTimestamp: String(sentAt), ApproximateReceiveCount: String(receiveCount) },
    [input.AttributeNames, input.MessageSystemAttributeNames].flat(),
  );
  const MessageAttributes = pick(
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typed(name, value)])),
    [input.MessageAttributeNames].flat(),
  );
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: md5(body),
    Attributes,
    MessageAttributes,
  };
}

/** The values with these names, where `All` stands for every name; undefined when no value has such a name. */
function pick<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly unknown[],
): Record<string, Value> | undefined {
  const picked = Object.entries(values).filter(([name]) => names.includes(name) || names.includes('All'));
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}

/** In a dead letter, Lambda writes ErrorCode as a number (Lambda, "Adding a dead-letter queue"). */
function typed(name: string, value: string) {
  return { DataType: name === 'ErrorCode' ? 'Number' : 'String', StringValue: value };
}

async function deleteMessage(queue: Queue, input: Input) {
  const handle = String(input.ReceiptHandle ?? '');
  // SQS accepts a handle whose message is gone or was received again since, and does nothing.
  requireHandle((await queue.delete(handle)) || isHandle(handle));
  return {};
}

async function changeMessageVisibility(queue: Queue, input: Input) {
  const seconds = Number(input.VisibilityTimeout);
  if (!Number.isInteger(seconds) || seconds < 0 || seconds > 43_200) {
    throw new AwsError(400, 'InvalidParameterValue', 'VisibilityTimeout is between 0 and 43200 seconds.');
  }
  requireHandle(queue.changeVisibility(String(input.ReceiptHandle ?? ''), seconds));
  return {};
}

function requireHandle(known: boolean): void {
  if (!known) {
    throw new AwsError(400, 'ReceiptHandleIsInvalid', 'The input receipt handle is invalid.');
  }
}

async function getQueueAttributes(queue: Queue, input: Input) {
  const { visible, inFlight } = queue.counts();
  const Attributes = pick(
    {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: '0',
    },
    [input.AttributeNames].flat(),
  );
  return { Attributes };
}
