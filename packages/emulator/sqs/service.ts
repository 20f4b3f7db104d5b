import { join } from 'node:path';
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import type { CloudWatchSettings } from '../cloudwatch/open-cloudwatch.ts';
import { cloudWatch } from '../cloudwatch/service.ts';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { parseInput, unsupportedParameter } from '../protocols/parse-input.ts';
import { findOperation, type Input, type Service } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { regionalArn } from '../shared/names.ts';
import { isHandle, md5, openQueues, type Queue } from './queues.ts';
import { queueName, queuePolicies, queuePolicyType, queueType } from './resource-types.ts';

/** SQS. Each message is a file. */
export const sqs = {
  resourceTypes: [queuePolicyType, queueType],
  policies: queuePolicies,
  start: async (emulator, use) => {
    const { stateDirectory, resources, now } = emulator;
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
        serve: createSqs(queues, emulator),
      },
    };
  },
} satisfies AwsService<CloudWatchSettings>;

/** Creates the error for an invalid parameter. */
const invalidValue = 'InvalidParameterValueException';

const operations = {
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
    const name = queueName(String(url));
    const queue = queues.get(name);
    if (queue === undefined) {
      throw new AwsError(400, 'QueueDoesNotExist', 'The specified queue does not exist.');
    }
    const resource = regionalArn('sqs', name, access.stack);
    requireAllowed({ principal, action: `sqs:${operation}`, resource }, access, [403, 'AccessDenied']);
    return act(queue, input);
  };
}

/** The content of a message is not checked: only EventBridge and tests send messages. */
async function sendMessage(queue: Queue, input: Input) {
  const { MessageBody: text } = parse({ MessageBody: v.pipe(v.string(), v.minLength(1)) }, input);
  const { id, body } = await queue.send(text);
  return { MessageId: id, MD5OfMessageBody: md5(body) };
}

const visibilitySchema = between('VisibilityTimeout', 0, 43_200);

const receiveSchema = {
  MaxNumberOfMessages: v.optional(between('MaxNumberOfMessages', 1, 10), 1),
  VisibilityTimeout: v.optional(visibilitySchema),
  WaitTimeSeconds: v.optional(between('WaitTimeSeconds', 0, 20, '>= 0 and <= 20'), 0),
};

async function receiveMessage(queue: Queue, input: Input) {
  const request = parse(receiveSchema, input);
  const receive = () => queue.receive(request.MaxNumberOfMessages, request.VisibilityTimeout);
  const until = performance.now() + request.WaitTimeSeconds * 1000;
  let messages = await receive();
  while (messages.length === 0 && performance.now() < until) {
    await setTimeout(50, undefined, { ref: false });
    messages = await receive();
  }
  const described = messages.map(({ id, body, receiptHandle }) => ({
    MessageId: id,
    ReceiptHandle: receiptHandle,
    Body: body,
    MD5OfBody: md5(body),
  }));
  return described.length === 0 ? {} : { Messages: described };
}

async function deleteMessage(queue: Queue, input: Input) {
  const { ReceiptHandle: handle } = parse({ ReceiptHandle: v.string() }, input);
  requireHandle(handle);
  // SQS accepts a handle of a deleted message, and ignores it.
  await queue.delete(handle);
  return {};
}

async function changeMessageVisibility(queue: Queue, input: Input) {
  const schema = { ReceiptHandle: v.string(), VisibilityTimeout: visibilitySchema };
  const { ReceiptHandle: handle, VisibilityTimeout } = parse(schema, input);
  requireHandle(handle);
  if (!queue.changeVisibility(handle, VisibilityTimeout)) {
    const reason = 'Message does not exist or is not available for visibility timeout change.';
    const text = `Value ${handle} for parameter ReceiptHandle is invalid. Reason: ${reason}`;
    throw new AwsError(400, invalidValue, text);
  }
  return {};
}

function requireHandle(handle: string): void {
  if (!isHandle(handle)) {
    const text = `The input receipt handle "${handle}" is not a valid receipt handle.`;
    throw new AwsError(400, 'ReceiptHandleIsInvalid', text);
  }
}

async function getQueueAttributes(queue: Queue, input: Input) {
  const { AttributeNames: names } = parse({ AttributeNames: v.array(v.string()) }, input);
  const { visible, inFlight } = queue.counts();
  const attributes: Readonly<Record<string, number>> = {
    ApproximateNumberOfMessages: visible,
    ApproximateNumberOfMessagesNotVisible: inFlight,
  };
  const unknown = names.find((name) => attributes[name] === undefined);
  if (unknown !== undefined) {
    throw unsupportedParameter(`AttributeNames ${unknown}`);
  }
  return { Attributes: Object.fromEntries(names.map((name) => [name, String(attributes[name])])) };
}

function parse<Entries extends v.ObjectEntries>(entries: Entries, input: Input) {
  return parseInput(v.strictObject(entries), input, invalidValue);
}

function between(name: string, min: number, max: number, range = `between ${min} and ${max}`) {
  return v.pipe(
    v.number(),
    v.integer(),
    v.check(
      (value) => value >= min && value <= max,
      ({ input }) =>
        `Value ${input} for parameter ${name} is invalid. Reason: Must be ${range}, if provided.`,
    ),
  );
}
