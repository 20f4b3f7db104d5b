import { type Authorize, requireAllowed } from '../iam/authorize.ts';
import { findOperation, type Service, type ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import { regionalArn, type StackIdentity } from '../shared/names.ts';
import { isHandle, md5, type Queue, type ReceivedMessage } from './queues.ts';
import { queueName } from './resource-types.ts';

type Operation = (queue: Queue, input: ServiceCall['input']) => Promise<Readonly<Record<string, unknown>>>;

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: sendMessage,
  ReceiveMessage: receiveMessage,
  DeleteMessage: deleteMessage,
  ChangeMessageVisibility: changeMessageVisibility,
  GetQueueAttributes: getQueueAttributes,
};

/** SQS (API reference, version 2012-11-05, JSON protocol): the operations that read and replay a dead-letter queue. */
export function createSqs(
  queues: ReadonlyMap<string, Queue>,
  authorize: Authorize,
  stack: StackIdentity,
): Service {
  return async ({ principal, operation, input }) => {
    const act = findOperation(operations, operation);
    const name = queueName(String(input.QueueUrl ?? ''));
    const queue = queues.get(name);
    if (queue === undefined) {
      throw new AwsError(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    }
    const access = { principal, action: `sqs:${operation}`, resource: regionalArn('sqs', name, stack) };
    requireAllowed(access, { authorize, stack }, [403, 'AccessDenied']);
    return act(queue, input);
  };
}

async function sendMessage(queue: Queue, input: ServiceCall['input']) {
  if (input.MessageAttributes !== undefined) {
    throw new AwsError(400, 'UnsupportedOperation', 'Message attributes are not supported by the emulator');
  }
  const { id, body } = await queue.send(String(input.MessageBody ?? ''), {});
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

async function receiveMessage(queue: Queue, input: ServiceCall['input']) {
  const most = Math.min(10, Math.max(1, Number(input.MaxNumberOfMessages ?? 1)));
  const visibility = input.VisibilityTimeout === undefined ? undefined : Number(input.VisibilityTimeout);
  const messages = await queue.receive(most, visibility);
  return messages.length === 0 ? {} : { Messages: messages.map((message) => describe(message, input)) };
}

/** A message with those of its attributes that the request names: none by default. */
function describe(message: ReceivedMessage, input: ServiceCall['input']) {
  const { id, body, attributes, sentAt, receiptHandle, receiveCount } = message;
  const system = pick(
    { SentTimestamp: String(sentAt), ApproximateReceiveCount: String(receiveCount) },
    [input.AttributeNames, input.MessageSystemAttributeNames].flat(),
  );
  const own = pick(
    Object.fromEntries(Object.entries(attributes).map(([name, value]) => [name, typed(name, value)])),
    [input.MessageAttributeNames].flat(),
  );
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: md5(body),
    ...(system === undefined ? {} : { Attributes: system }),
    ...(own === undefined ? {} : { MessageAttributes: own }),
  };
}

/** The values with these names, where `All` is every name; undefined when there are none. */
function pick<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly unknown[],
): Record<string, Value> | undefined {
  const picked = Object.entries(values).filter(([name]) => names.includes(name) || names.includes('All'));
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}

/** The one attribute of a dead letter that Lambda writes as a number (Lambda, "Adding a dead-letter queue"). */
function typed(name: string, value: string) {
  return { DataType: name === 'ErrorCode' ? 'Number' : 'String', StringValue: value };
}

async function deleteMessage(queue: Queue, input: ServiceCall['input']) {
  const handle = String(input.ReceiptHandle ?? '');
  // A handle of a message that is gone, or that was received again since, is accepted and does nothing.
  requireHandle((await queue.delete(handle)) || isHandle(handle));
  return {};
}

async function changeMessageVisibility(queue: Queue, input: ServiceCall['input']) {
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

async function getQueueAttributes(queue: Queue, input: ServiceCall['input']) {
  const { visible, inFlight } = queue.counts();
  const attributes = pick(
    {
      ApproximateNumberOfMessages: String(visible),
      ApproximateNumberOfMessagesNotVisible: String(inFlight),
      ApproximateNumberOfMessagesDelayed: '0',
    },
    [input.AttributeNames].flat(),
  );
  return attributes === undefined ? {} : { Attributes: attributes };
}
