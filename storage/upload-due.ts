import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import {
  attributeNames,
  type Item,
  type ItemUpdate,
  selectAttributes,
  type Timestamp,
  textAttribute,
  timestamp,
} from './attributes.ts';

/**
 * The index of uploads that somebody has to look at some time. It is sparse: the writes that settle an upload remove
 * `due_shard` and `due_at`. So it holds open uploads only, and to query it costs what is due, however many uploads there
 * ever were. It holds the keys alone.
 */
export const dueIndex = {
  name: 'due',
  partitionKey: 'due_shard',
  sortKey: 'due_at',
  attributes: [],
  sparse: true,
} as const;

/**
 * The partitions of the index. One partition takes 1,000 writes a second (DynamoDB, "Best practices for designing and
 * using partition keys"), and each upload writes to it twice.
 */
export const dueShards = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;

const minute = 60_000;

/**
 * How long after the end of an upload URL its upload is looked at. Within that time, the event of an upload of the last
 * second is delivered, and Lambda has made its two retries, one and then two minutes later.
 */
const marginMilliseconds = 10 * minute;

/** S3 checks the time when a request begins, so a PUT may end after its URL. One that takes longer than this is not awaited. */
const slowestUploadMilliseconds = 24 * 60 * minute;

/** When a failed look at an upload is repeated. Until then, others have their turn. */
const retryMilliseconds = 60 * minute;

/** The attributes of a new upload that make it due after its URL has expired. */
export function dueAttributes(uploadId: string, expiresAt: Timestamp) {
  return { due_shard: dueShardOf(uploadId), due_at: firstLookAt(expiresAt) };
}

/** The last digit of a UUIDv7 is random, so uploads spread over the partitions evenly. */
function dueShardOf(uploadId: string): string {
  return String(Number.parseInt(uploadId.slice(-1), 16) % dueShards.length);
}

/** When an upload is looked at for the first time. */
function firstLookAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, marginMilliseconds);
}

/** When an upload that expired unused is looked at for the last time. */
export function lastLookAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, slowestUploadMilliseconds + marginMilliseconds);
}

/** When an upload is looked at again, after this failed. */
export function nextTryAt(now: Date): Timestamp {
  return later(timestamp(now), retryMilliseconds);
}

function later(time: Timestamp, milliseconds: number): Timestamp {
  return timestamp(new Date(Date.parse(time) + milliseconds));
}

const dueKey = selectAttributes('due upload', { upload_id: textAttribute, due_at: textAttribute });

/** Queries one partition for what is due, oldest first. An index is read eventually consistently. */
export function queryDue(
  shard: (typeof dueShards)[number],
  now: Timestamp,
  { limit, after }: { readonly limit: number; readonly after?: Item | undefined },
): Omit<QueryCommandInput, 'TableName'> {
  return {
    IndexName: dueIndex.name,
    KeyConditionExpression: '#due_shard = :shard AND #due_at <= :now',
    ExpressionAttributeNames: attributeNames('due_shard', 'due_at'),
    ExpressionAttributeValues: { ':shard': { S: shard }, ':now': { S: now } },
    Limit: limit,
    ExclusiveStartKey: after,
  };
}

/** @throws {StoredDataError} when the item is not one of the index */
export function dueFromItem(item: Item): { readonly upload_id: string; readonly due_at: Timestamp } {
  return dueKey.parse(item);
}

/** Settles a completed upload: it is announced, and nothing of it is left to do. Refused unless it is completed. */
export function updateToSettled(uploadId: string): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression: 'REMOVE #due_shard, #due_at, #announced',
    ConditionExpression: '#state = :completed',
    ExpressionAttributeNames: attributeNames('due_shard', 'due_at', 'announced', 'state'),
    ExpressionAttributeValues: { ':completed': { S: 'completed' } },
  };
}

/**
 * Cancels an upload whose cancellation is announced, and settles it. Refused when it is completed, or there is none. A
 * repeated update keeps the first time.
 */
export function updateToCancelledAndSettled(uploadId: string, cancelledAt: Timestamp): ItemUpdate {
  return {
    Key: uploadKey(uploadId),
    UpdateExpression:
      'SET #state = :cancelled, #cancelled_at = if_not_exists(#cancelled_at, :at) REMOVE #due_shard, #due_at',
    ConditionExpression: '#state IN (:issued, :cancelled)',
    ExpressionAttributeNames: attributeNames('state', 'cancelled_at', 'due_shard', 'due_at'),
    ExpressionAttributeValues: {
      ':issued': { S: 'issued' },
      ':cancelled': { S: 'cancelled' },
      ':at': { S: cancelledAt },
    },
  };
}

/**
 * Records that nobody used an upload URL. The state stays `issued`, so that a slow PUT that ends later can still be
 * completed. A repeated update keeps the first time. Refused unless the upload is issued, and due at the time that was
 * read.
 *
 * @param next when to look again; undefined: never, the upload is settled
 */
export function updateToExpired(
  { upload_id, due_at }: { readonly upload_id: string; readonly due_at: Timestamp },
  expiredAt: Timestamp,
  next: Timestamp | undefined,
): ItemUpdate {
  const expired = 'SET #expired_at = if_not_exists(#expired_at, :at)';
  return {
    Key: uploadKey(upload_id),
    UpdateExpression:
      next === undefined ? `${expired} REMOVE #due_shard, #due_at` : `${expired}, #due_at = :next`,
    ConditionExpression: '#state = :issued AND #due_at = :due',
    ExpressionAttributeNames: attributeNames(
      'expired_at',
      'due_at',
      'state',
      ...(next === undefined ? ['due_shard'] : []),
    ),
    ExpressionAttributeValues: {
      ':at': { S: expiredAt },
      ':issued': { S: 'issued' },
      ':due': { S: due_at },
      ...(next === undefined ? {} : { ':next': { S: next } }),
    },
  };
}

/** Moves the time at which an upload is looked at. Refused when it is not due at the time that was read. */
export function updateDueAt(
  { upload_id, due_at }: { readonly upload_id: string; readonly due_at: Timestamp },
  next: Timestamp,
): ItemUpdate {
  return {
    Key: uploadKey(upload_id),
    UpdateExpression: 'SET #due_at = :next',
    ConditionExpression: '#due_at = :due',
    ExpressionAttributeNames: attributeNames('due_at'),
    ExpressionAttributeValues: { ':due': { S: due_at }, ':next': { S: next } },
  };
}

function uploadKey(uploadId: string): Item {
  return { upload_id: { S: uploadId } };
}
