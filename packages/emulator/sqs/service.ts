import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import type { CloudWatchSettings } from '../cloudwatch/open-cloudwatch.ts';
import { cloudWatch } from '../cloudwatch/service.ts';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { type Principal, uniqueIdOf } from '../iam/principal.ts';
import { countCalls } from '../protocols/calls.ts';
import { parseInput, unsupportedParameter } from '../protocols/parse-input.ts';
import { findOperation, type Input, type Output, type Service } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { regionalArn } from '../shared/names.ts';
import { optionalText } from '../shared/resource-type.ts';
import { md5, md5OfAttributes, type TextAttribute } from './checksums.ts';
import { isHandle, largestMessageBytes, openQueues, type Queue, type ReceivedMessage } from './queues.ts';
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
        queryErrors: {
          [invalidValue]: 'InvalidParameterValue',
          MissingRequiredParameterException: 'MissingParameter',
          QueueDoesNotExist: 'AWS.SimpleQueueService.NonExistentQueue',
        },
        version: '1.0',
        serve: countCalls('sqs', createSqs(queues, emulator), onCall),
      },
    };
  },
} satisfies AwsService<CloudWatchSettings>;

/** The error for a parameter that is wrong. */
const invalidValue = 'InvalidParameterValueException';

type Operation = (queue: Queue, input: Input, principal: Principal) => Promise<Output>;

const operations: Readonly<Record<string, Operation>> = {
  SendMessage: sendMessage,
  ReceiveMessage: receiveMessage,
  DeleteMessage: deleteMessage,
  ChangeMessageVisibility: changeMessageVisibility,
  GetQueueAttributes: getQueueAttributes,
};

/** SQS (API reference, version 2012-11-05, JSON protocol): the operations that read and replay a dead-letter queue. */
function createSqs(queues: ReadonlyMap<string, Queue>, access: Access): Service {
  return async ({ principal, operation, input: { QueueUrl: url, ...input } }) => {
    const act = findOperation(operations, operation);
    const name = queueName(String(required(url, 'QueueUrl')));
    const queue = queues.get(name);
    if (queue === undefined) {
      throw new AwsError(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    }
    const resource = regionalArn('sqs', name, access.stack);
    requireAllowed({ principal, action: `sqs:${operation}`, resource }, access, [403, 'AccessDenied']);
    return act(queue, input, principal);
  };
}

async function sendMessage(queue: Queue, input: Input, principal: Principal) {
  const { MessageBody } = parseInput(v.strictObject({ MessageBody: optionalText }), input, invalidValue);
  const body = required(MessageBody, 'MessageBody');
  if (Buffer.byteLength(body) > largestMessageBytes) {
    const text = `One or more parameters are invalid. Reason: Message must be shorter than ${largestMessageBytes} bytes.`;
    throw new AwsError(400, invalidValue, text);
  }
  // SQS API reference, SendMessage.
  if (!/^[\t\n\r -\ud7ff\ue000-\ufffd\u{10000}-\u{10ffff}]*$/u.test(body)) {
    throw new AwsError(
      400,
      'InvalidMessageContents',
      'The message contains characters outside the allowed set.',
    );
  }
  const { id } = await queue.send(body, {}, uniqueIdOf(principal));
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

const namesSchema = v.optional(v.array(v.string()), []);

const receiveSchema = v.strictObject({
  AttributeNames: namesSchema,
  MessageSystemAttributeNames: namesSchema,
  MessageAttributeNames: namesSchema,
  MaxNumberOfMessages: v.optional(v.number(), 1),
  VisibilityTimeout: v.optional(v.number()),
  WaitTimeSeconds: v.optional(v.number(), 0),
});

type ReceiveInput = v.InferOutput<typeof receiveSchema>;

async function receiveMessage(queue: Queue, input: Input) {
  const parsed = parseInput(receiveSchema, input, invalidValue);
  const { MaxNumberOfMessages, VisibilityTimeout, WaitTimeSeconds } = parsed;
  requireRange({ MaxNumberOfMessages }, 1, 10);
  requireRange({ WaitTimeSeconds }, 0, 20, '>= 0 and <= 20');
  requireRange({ VisibilityTimeout }, 0, longestVisibility);
  const receive = () => queue.receive(MaxNumberOfMessages, VisibilityTimeout);
  const until = performance.now() + WaitTimeSeconds * 1000;
  let messages = await receive();
  while (messages.length === 0 && performance.now() < until) {
    await setTimeout(50, undefined, { ref: false });
    messages = await receive();
  }
  return messages.length === 0 ? {} : { Messages: messages.map((message) => describe(message, parsed)) };
}

/** A message with the attributes that the request names. By default a message has no attributes. */
function describe(message: ReceivedMessage, input: ReceiveInput) {
  const { id, body, receiptHandle } = message;
  const Attributes = pick(systemAttributes(message), [
    ...input.AttributeNames,
    ...input.MessageSystemAttributeNames,
  ]);
  const attributes = pick(typed(message.attributes), input.MessageAttributeNames);
  return {
    MessageId: id,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: md5(body),
    Attributes,
    ...(attributes && {
      MD5OfMessageAttributes: md5OfAttributes(attributes),
      MessageAttributes: attributes,
    }),
  };
}

/** In a dead letter, Lambda writes ErrorCode as a number (Lambda, "Adding a dead-letter queue"). */
function typed(attributes: Readonly<Record<string, string>>): Record<string, TextAttribute> {
  const entries = Object.entries(attributes).map(([name, value]) => [
    name,
    { DataType: name === 'ErrorCode' ? 'Number' : 'String', StringValue: value },
  ]);
  return Object.fromEntries(entries);
}

function systemAttributes({
  sentAt,
  receiveCount,
  firstReceivedAt,
  senderId,
  deadLetterOf,
}: ReceivedMessage) {
  return {
    ApproximateFirstReceiveTimestamp: String(firstReceivedAt),
    ApproximateReceiveCount: String(receiveCount),
    SentTimestamp: String(sentAt),
    ...(senderId && { SenderId: senderId }),
    ...(deadLetterOf && { DeadLetterQueueSourceArn: deadLetterOf }),
  };
}

/**
 * The values with these names: `All`, `*` and `.*` stand for every name, and `a.*` for each that begins with `a`.
 *
 * @returns undefined when no value has such a name
 */
function pick<Value>(
  values: Readonly<Record<string, Value>>,
  names: readonly string[],
): Record<string, Value> | undefined {
  const isNamed = (value: string) =>
    names.some((name) => {
      const prefix = name === 'All' ? '' : name.replace(/\.?\*$/, '');
      return prefix === name ? value === name : value.startsWith(prefix);
    });
  const picked = Object.entries(values).filter(([name]) => isNamed(name));
  return picked.length === 0 ? undefined : Object.fromEntries(picked);
}

async function deleteMessage(queue: Queue, input: Input) {
  const { ReceiptHandle } = parseInput(v.strictObject({ ReceiptHandle: optionalText }), input, invalidValue);
  // SQS accepts a handle whose message is gone, and does nothing.
  await queue.delete(requireHandle(ReceiptHandle));
  return {};
}

/** Seconds. */
const longestVisibility = 43_200;

async function changeMessageVisibility(queue: Queue, input: Input) {
  const schema = v.strictObject({ ReceiptHandle: optionalText, VisibilityTimeout: v.number() });
  const { ReceiptHandle, VisibilityTimeout } = parseInput(schema, input, invalidValue);
  const handle = requireHandle(ReceiptHandle);
  requireRange({ VisibilityTimeout }, 0, longestVisibility);
  if (!queue.changeVisibility(handle, VisibilityTimeout)) {
    throw wrongValue(
      'ReceiptHandle',
      handle,
      'Message does not exist or is not available for visibility timeout change.',
    );
  }
  return {};
}

function requireHandle(given: string | undefined): string {
  const handle = required(given, 'ReceiptHandle');
  if (!isHandle(handle)) {
    const text = `The input receipt handle "${handle}" is not a valid receipt handle.`;
    throw new AwsError(400, 'ReceiptHandleIsInvalid', text);
  }
  return handle;
}

/** Names of attributes that a queue here may lack. */
const otherAttributes = ['All', 'KmsDataKeyReusePeriodSeconds', 'KmsMasterKeyId', 'RedrivePolicy'];

async function getQueueAttributes(queue: Queue, input: Input) {
  const { AttributeNames } = parseInput(v.strictObject({ AttributeNames: namesSchema }), input, invalidValue);
  const { visible, inFlight } = queue.counts();
  const values: Record<string, string> = {
    ...queue.attributes,
    ApproximateNumberOfMessages: String(visible),
    ApproximateNumberOfMessagesNotVisible: String(inFlight),
    ApproximateNumberOfMessagesDelayed: '0',
  };
  if (AttributeNames.includes('Policy')) {
    throw unsupportedParameter('AttributeNames Policy');
  }
  const unknown = AttributeNames.find((name) => !(name in values || otherAttributes.includes(name)));
  if (unknown !== undefined) {
    throw new AwsError(400, 'InvalidAttributeName', `Unknown Attribute ${unknown}.`);
  }
  return { Attributes: pick(values, AttributeNames) };
}

function required<Value>(value: Value | undefined, name: string): Value {
  if (value === undefined || value === '') {
    const text = `The request must contain the parameter ${name}.`;
    throw new AwsError(400, 'MissingRequiredParameterException', text);
  }
  return value;
}

function requireRange(
  parameter: Readonly<Record<string, number | undefined>>,
  least: number,
  most: number,
  range = `between ${least} and ${most}`,
): void {
  for (const [name, value = least] of Object.entries(parameter)) {
    if (!Number.isInteger(value) || value < least || value > most) {
      throw wrongValue(name, value, `Must be ${range}, if provided.`);
    }
  }
}

function wrongValue(name: string, value: string | number, reason: string): AwsError {
  return new AwsError(
    400,
    invalidValue,
    `Value ${value} for parameter ${name} is invalid. Reason: ${reason}`,
  );
}
