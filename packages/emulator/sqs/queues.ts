import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { listDirectory, openDirectory, removeFile, writeFileAtomically } from '../shared/files.ts';
import type { Resource } from '../shared/resource-type.ts';
import { ofType } from '../shared/resource-type.ts';
import { readStateFile } from '../shared/state-file.ts';
import { type QueueProperties, queueName, queueType } from './resource-types.ts';

const messageSchema = v.object({
  id: v.string(),
  body: v.string(),
  /** Message attributes, all of them text. */
  attributes: v.record(v.string(), v.string()),
  /** Milliseconds since the epoch. */
  sentAt: v.number(),
  /** Unique id of the sender. */
  senderId: v.exactOptional(v.string()),
  /** ARN of the queue from which the message came to this dead-letter queue. */
  deadLetterOf: v.exactOptional(v.string()),
});

export type Message = Readonly<v.InferOutput<typeof messageSchema>>;

export interface ReceivedMessage extends Message {
  readonly receiptHandle: string;
  readonly receiveCount: number;
  /** Milliseconds since the epoch. */
  readonly firstReceivedAt: number;
}

/** A queue, whose messages are files. A restart makes messages visible that a receiver was handling. */
export interface Queue {
  /** What GetQueueAttributes says, beside the counts. */
  readonly attributes: Readonly<Record<string, string>>;
  readonly send: (
    body: string,
    attributes: Readonly<Record<string, string>>,
    senderId?: string,
  ) => Promise<Message>;
  /** Takes a message that was received too often from another queue. */
  readonly take: (message: Message, receiveCount: number) => Promise<void>;
  /** @param visibilityTimeout seconds in which nobody else receives the same messages */
  readonly receive: (most: number, visibilityTimeout?: number) => Promise<ReceivedMessage[]>;
  /** Deletes the message of a receipt handle, if it is there. Handles of earlier receives count as well. */
  readonly delete: (receiptHandle: string) => Promise<void>;
  /** Hides a message for this many seconds from now; false when the receipt handle has no message. */
  readonly changeVisibility: (receiptHandle: string, seconds: number) => boolean;
  readonly counts: () => QueueCounts;
}

export interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
}

interface Entry {
  readonly message: Message;
  visibleAt: number;
  receiveCount: number;
  firstReceivedAt: number | undefined;
}

/** Default of VisibilityTimeout and MessageRetentionPeriod, in seconds (SQS API reference, CreateQueue). */
const defaults = { visibilityTimeout: 30, retention: 345_600 };

/** In bytes of UTF-8, with the attributes. */
export const largestMessageBytes = 1_048_576;

/** Opens the queues of the template, by name. */
export async function openQueues(
  directory: string,
  resources: readonly Resource[],
  now: () => Date,
): Promise<ReadonlyMap<string, Queue>> {
  const queues = new Map<string, Queue>();
  const opened = ofType(resources, queueType).map(async ({ logicalId, attributes, properties }) => {
    const name = attributes.QueueName ?? '';
    const { RedrivePolicy: redrive } = properties;
    const queue = await openQueue({
      directory: join(directory, name),
      arn: attributes.Arn ?? '',
      properties,
      mostReceives: redrive?.maxReceiveCount ?? Number.POSITIVE_INFINITY,
      deadLetterQueue: () => queues.get(queueName(redrive?.deadLetterTargetArn ?? '')),
      now,
    });
    return { logicalId, redrive, name, queue };
  });
  for (const { name, queue } of await Promise.all(opened)) {
    queues.set(name, queue);
  }
  for (const { logicalId, redrive } of await Promise.all(opened)) {
    if (redrive !== undefined && !queues.has(queueName(redrive.deadLetterTargetArn))) {
      throw new Error(`${logicalId}: the queue ${redrive.deadLetterTargetArn} is not in the template`);
    }
  }
  return queues;
}

interface QueueSettings {
  readonly directory: string;
  readonly arn: string;
  readonly properties: QueueProperties;
  /** A message that was received this many times goes to the dead-letter queue, and is not received again. */
  readonly mostReceives: number;
  readonly deadLetterQueue: () => Queue | undefined;
  readonly now: () => Date;
}

async function openQueue(settings: QueueSettings): Promise<Queue> {
  const { directory, arn, properties, mostReceives, deadLetterQueue, now } = settings;
  const retention = properties.MessageRetentionPeriod ?? defaults.retention;
  const visibility = properties.VisibilityTimeout ?? defaults.visibilityTimeout;
  await openDirectory(directory);
  const entries = new Map((await readMessages(directory)).map((message) => [message.id, newEntry(message)]));
  const pathOf = (id: string) => join(directory, `${id}.json`);
  const remove = async (id: string) => {
    entries.delete(id);
    await removeFile(pathOf(id));
  };
  const take = async (message: Message, receiveCount: number) => {
    await writeFileAtomically(pathOf(message.id), JSON.stringify(message));
    entries.set(message.id, newEntry(message, receiveCount));
  };
  const withHandle = (receiptHandle: string) => entries.get(receiptHandle.slice(0, uuidLength));
  const redrive = async (entry: Entry) => {
    // The message is hidden first, so that another receiver does not send it a second time.
    entry.visibleAt = Number.POSITIVE_INFINITY;
    await deadLetterQueue()?.take({ ...entry.message, deadLetterOf: arn }, entry.receiveCount);
    await remove(entry.message.id);
  };
  const dropOld = async () => {
    const oldest = now().getTime() - retention * 1000;
    const old = [...entries.values()].filter(({ message }) => message.sentAt < oldest);
    await Promise.all(old.map(({ message }) => remove(message.id)));
  };
  return {
    attributes: fixedAttributes(settings, { retention, visibility }),
    send: async (body, attributes, senderId) => {
      const sender = senderId === undefined ? {} : { senderId };
      const message = { id: randomUUID(), body, attributes, sentAt: now().getTime(), ...sender };
      await take(message, 0);
      return message;
    },
    take,
    receive: async (most, visibilityTimeout = visibility) => {
      await dropOld();
      const time = now().getTime();
      const visible = [...entries.values()].filter(({ visibleAt }) => visibleAt <= time);
      const exhausted = visible.filter(({ receiveCount }) => receiveCount >= mostReceives);
      const received = visible
        .filter((entry) => !exhausted.includes(entry))
        .slice(0, most)
        .map((entry) => hide(entry, time, visibilityTimeout));
      await Promise.all(exhausted.map(redrive));
      return received;
    },
    delete: async (receiptHandle) => {
      const entry = withHandle(receiptHandle);
      if (entry !== undefined) {
        await remove(entry.message.id);
      }
    },
    changeVisibility: (receiptHandle, seconds) => {
      const entry = withHandle(receiptHandle);
      if (entry !== undefined) {
        entry.visibleAt = now().getTime() + seconds * 1000;
      }
      return entry !== undefined;
    },
    counts: () => {
      const time = now().getTime();
      const visible = [...entries.values()].filter(({ visibleAt }) => visibleAt <= time).length;
      return { visible, inFlight: entries.size - visible };
    },
  };
}

async function readMessages(directory: string): Promise<Message[]> {
  const names = (await listDirectory(directory)).filter((name) => name.endsWith('.json'));
  const remedy = 'Move it away: the queue then lacks this message, and no other one.';
  const messages = await Promise.all(
    names.map((name) => readStateFile(join(directory, name), messageSchema, remedy)),
  );
  return messages.filter((message) => message !== undefined).toSorted((a, b) => a.sentAt - b.sentAt);
}

function newEntry(message: Message, receiveCount = 0): Entry {
  return { message, visibleAt: 0, receiveCount, firstReceivedAt: undefined };
}

const uuidLength = randomUUID().length;

function hide(entry: Entry, time: number, seconds: number): ReceivedMessage {
  entry.visibleAt = time + seconds * 1000;
  entry.receiveCount += 1;
  entry.firstReceivedAt ??= time;
  const receiptHandle = `${entry.message.id}/${randomUUID()}`;
  const { message, receiveCount, firstReceivedAt } = entry;
  return { ...message, receiptHandle, receiveCount, firstReceivedAt };
}

/** Whether text has the form of a receipt handle. */
export function isHandle(text: string): boolean {
  return /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(text);
}

/** The emulator does not remember its first start, so the queue counts as new. */
function fixedAttributes(
  { arn, properties, now }: QueueSettings,
  { retention, visibility }: Readonly<Record<'retention' | 'visibility', number>>,
): Record<string, string> {
  const created = String(Math.floor(now().getTime() / 1000));
  const { RedrivePolicy, SqsManagedSseEnabled = true } = properties;
  return {
    CreatedTimestamp: created,
    DelaySeconds: '0',
    LastModifiedTimestamp: created,
    MaximumMessageSize: String(largestMessageBytes),
    MessageRetentionPeriod: String(retention),
    QueueArn: arn,
    ReceiveMessageWaitTimeSeconds: '0',
    ...(RedrivePolicy && { RedrivePolicy: JSON.stringify(RedrivePolicy) }),
    SqsManagedSseEnabled: String(SqsManagedSseEnabled),
    VisibilityTimeout: String(visibility),
  };
}
