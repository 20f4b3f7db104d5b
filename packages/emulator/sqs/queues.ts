import { createHash, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import * as v from 'valibot';
import { listDirectory, openDirectory, removeFile, writeFileAtomically } from '../shared/files.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { readStateFile } from '../shared/state-file.ts';
import { queueName, queueType } from './resource-types.ts';

const messageSchema = v.object({
  id: v.string(),
  body: v.string(),
  /** Milliseconds since the epoch. */
  sentAt: v.number(),
});

type Message = Readonly<v.InferOutput<typeof messageSchema>>;

interface ReceivedMessage extends Message {
  /** Receipt handle of this receive, which identifies the message. */
  readonly receiptHandle: string;
}

/** A queue, whose messages are files. After a restart, messages in flight are visible again. */
export interface Queue {
  readonly send: (body: string) => Promise<Message>;
  /** Stores a message that was received too often from another queue. */
  readonly take: (message: Message) => Promise<void>;
  /** @param visibilityTimeout seconds in which no other call receives the same messages */
  readonly receive: (max: number, visibilityTimeout?: number) => Promise<ReceivedMessage[]>;
  /** Deletes the message of a receipt handle, which may be of an earlier receive. */
  readonly delete: (receiptHandle: string) => Promise<void>;
  /**
   * Hides a message for this many seconds from now; returns false when no message matches the receipt handle.
   */
  readonly changeVisibility: (receiptHandle: string, seconds: number) => boolean;
  readonly counts: () => QueueCounts;
}

interface QueueCounts {
  readonly visible: number;
  readonly inFlight: number;
}

interface Entry {
  readonly message: Message;
  visibleAt: number;
  receiveCount: number;
}

/** Default of VisibilityTimeout and MessageRetentionPeriod, in seconds (SQS API reference, CreateQueue). */
const defaults = { visibilityTimeout: 30, retention: 345_600 };

/** Opens the queues of the template, by name. */
export async function openQueues(
  directory: string,
  resources: readonly Resource[],
  now: () => Date,
): Promise<ReadonlyMap<string, Queue>> {
  const queues = new Map<string, Queue>();
  const opened = ofType(resources, queueType).map(async ({ logicalId, attributes, properties }) => {
    const name = attributes.QueueName ?? '';
    const { VisibilityTimeout, MessageRetentionPeriod, RedrivePolicy: redrive } = properties;
    const queue = await openQueue({
      directory: join(directory, name),
      retention: MessageRetentionPeriod ?? defaults.retention,
      visibility: VisibilityTimeout ?? defaults.visibilityTimeout,
      maxReceives: redrive?.maxReceiveCount ?? Number.POSITIVE_INFINITY,
      deadLetterQueue: () => queues.get(queueName(redrive?.deadLetterTargetArn ?? '')),
      now,
    });
    return { logicalId, redrive, name, queue };
  });
  const all = await Promise.all(opened);
  for (const { name, queue } of all) {
    queues.set(name, queue);
  }
  for (const { logicalId, redrive } of all) {
    if (redrive !== undefined && !queues.has(queueName(redrive.deadLetterTargetArn))) {
      throw new Error(`${logicalId}: the queue ${redrive.deadLetterTargetArn} is not in the template`);
    }
  }
  return queues;
}

interface QueueSettings {
  readonly directory: string;
  /** Seconds. */
  readonly retention: number;
  /** Seconds. */
  readonly visibility: number;
  /** Maximum receives of a message. After that, the message moves to the dead-letter queue. */
  readonly maxReceives: number;
  readonly deadLetterQueue: () => Queue | undefined;
  readonly now: () => Date;
}

async function openQueue(settings: QueueSettings): Promise<Queue> {
  const { directory, retention, visibility, maxReceives, deadLetterQueue, now } = settings;
  await openDirectory(directory);
  const entries = new Map((await readMessages(directory)).map((message) => [message.id, newEntry(message)]));
  const pathOf = (id: string) => join(directory, `${id}.json`);
  const remove = async (id: string) => {
    entries.delete(id);
    await removeFile(pathOf(id));
  };
  const take = async (message: Message) => {
    await writeFileAtomically(pathOf(message.id), JSON.stringify(message));
    entries.set(message.id, newEntry(message));
  };
  const withHandle = (receiptHandle: string) => entries.get(receiptHandle.replace(/\/.*/, ''));
  const redrive = async (entry: Entry) => {
    // Hide the message first: another receiver must not send it a second time.
    entry.visibleAt = Number.POSITIVE_INFINITY;
    await deadLetterQueue()?.take(entry.message);
    await remove(entry.message.id);
  };
  const visible = () => [...entries.values()].filter(({ visibleAt }) => visibleAt <= now().getTime());
  const removeExpired = async () => {
    const oldest = now().getTime() - retention * 1000;
    const old = [...entries.values()].filter(({ message }) => message.sentAt < oldest);
    await Promise.all(old.map(({ message }) => remove(message.id)));
  };
  return {
    send: async (body) => {
      const message = { id: randomUUID(), body, sentAt: now().getTime() };
      await take(message);
      return message;
    },
    take,
    receive: async (max, visibilityTimeout = visibility) => {
      await removeExpired();
      const until = now().getTime() + visibilityTimeout * 1000;
      const exhausted = visible().filter(({ receiveCount }) => receiveCount >= maxReceives);
      const received = visible()
        .filter((entry) => !exhausted.includes(entry))
        .slice(0, max)
        .map((entry) => hide(entry, until));
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
      const count = visible().length;
      return { visible: count, inFlight: entries.size - count };
    },
  };
}

async function readMessages(directory: string): Promise<Message[]> {
  const names = (await listDirectory(directory)).filter((name) => name.endsWith('.json'));
  const remedy = 'Move this file away to skip the message. Other messages stay in the queue.';
  const messages = await Promise.all(
    names.map((name) => readStateFile(join(directory, name), messageSchema, remedy)),
  );
  return messages.filter((message) => message !== undefined).toSorted((a, b) => a.sentAt - b.sentAt);
}

function newEntry(message: Message): Entry {
  return { message, visibleAt: 0, receiveCount: 0 };
}

function hide(entry: Entry, until: number): ReceivedMessage {
  entry.visibleAt = until;
  entry.receiveCount += 1;
  return { ...entry.message, receiptHandle: `${entry.message.id}/${randomUUID()}` };
}

/** Returns true if text has the form of a receipt handle. */
export function isHandle(text: string): boolean {
  return /^[0-9a-f-]{36}\/[0-9a-f-]{36}$/.test(text);
}

/** The SDK compares this checksum with the sent or received message. */
export function md5(text: string): string {
  return createHash('md5').update(text).digest('hex');
}
