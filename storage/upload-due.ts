import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { uploadUrlLifetimeSeconds } from '../contract/limits.ts';
import {
  attributeNames,
  type Item,
  type ItemUpdate,
  type Timestamp,
  textAttribute,
  textAttributes,
  timestamp,
  timeToLive,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import { uuidV7Time } from './uuid-v7.ts';

/**
 * The index of uploads that the service will look at. The index is sparse: the write that leaves nothing to do for an
 * upload removes `due_shard` and `due_at`. So a query reads only due uploads, however many uploads there are. The index
 * holds only the keys.
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
export const uploadShards = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;

/** Partitions of content that may be deleted. */
export const deletionShards = uploadShards.map((shard) => `deletion-${shard}` as const);

/** All partitions of the index. */
export const dueShards = [...uploadShards, ...deletionShards] as const;

const minute = 60_000;

/**
 * The time between the expiry of an upload URL and the first look at its upload. Within this time, the event of an
 * upload in the last second is delivered, and Lambda has made its two retries: after one minute, and after two more.
 */
const marginMilliseconds = 10 * minute;

/**
 * S3 checks the time when a request begins, so a PUT may end after its URL has expired. The service does not wait for
 * slower PUTs.
 */
const slowestUploadMilliseconds = 24 * 60 * minute;

/** The wait after a failed look at an upload. Meanwhile, other uploads have their turn. */
const retryMilliseconds = 60 * minute;

/**
 * An upload that is due for longer is overdue: six runs did not get to it. After a pause, such as a deployment, the
 * reconciliation catches up sooner.
 */
export const overdueSeconds = 30 * 60;

/** The key of an upload in the table. */
export function uploadKey(uploadId: string): Item {
  return { upload_id: { S: uploadId } };
}

/** The attributes that make an upload due at a time. */
export function dueAttributes(uploadId: string, dueAt: Timestamp) {
  return { due_shard: shardOf(uploadId), due_at: dueAt };
}

/** The attributes that make the content of a replaced upload due for its deletion. */
export function deletionAttributes(uploadId: string, replacedAt: Timestamp) {
  return { due_shard: `deletion-${shardOf(uploadId)}`, due_at: deletionAt(uploadId, replacedAt) };
}

/** Shard of an upload. The last digit of a UUIDv7 is random, so uploads spread over the shards evenly. */
export function shardOf(uploadId: string): string {
  return String(Number.parseInt(uploadId.slice(-1), 16) % uploadShards.length);
}

/** When an upload is looked at for the first time. */
export function firstCheckAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, marginMilliseconds);
}

/** When an upload that expired unused is looked at for the last time. No PUT to its URL is under way any more. */
export function lastCheckAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, slowestUploadMilliseconds + marginMilliseconds);
}

/**
 * When the content of a replaced upload is deleted. Not before the last look at the upload: the key of a deleted object
 * is free, and a PUT that began before the URL expired could store a new object. The upload id tells the latest time at
 * which the URL expires.
 */
export function deletionAt(uploadId: string, replacedAt: Timestamp): Timestamp {
  const last = lastCheckAt(latestExpiry(uploadId));
  return last > replacedAt ? last : replacedAt;
}

function latestExpiry(uploadId: string): Timestamp {
  return timestamp(new Date(uuidV7Time(uploadId) + uploadUrlLifetimeSeconds * 1000));
}

/** When an upload is looked at again after a failed look. */
export function nextTryAt(now: Date): Timestamp {
  return later(timestamp(now), retryMilliseconds);
}

/** When an upload is looked at whose event EventBridge did not take. */
export function soonAt(now: Date): Timestamp {
  return later(timestamp(now), 5 * minute);
}

function later(time: Timestamp, milliseconds: number): Timestamp {
  return timestamp(new Date(Date.parse(time) + milliseconds));
}

const dueSchema = v.object({ upload_id: textAttribute, due_at: textAttribute });

/** An upload as the index has it. */
export type DueUpload = v.InferOutput<typeof dueSchema>;

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

/** @throws {StoredDataError} when the item is not an item of the index */
export function dueFromItem(item: Item): DueUpload {
  return parseStored('due upload', dueSchema, item);
}

/**
 * Cancels an upload whose cancellation is announced. The upload is then no longer due. Rejected when the upload is
 * completed, or does not exist. A repeated update keeps the first time.
 */
export function updateToCancelledAndAnnounced(uploadId: string, cancelledAt: Timestamp): ItemUpdate {
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
 * completed. A repeated update keeps the first time. Rejected unless the upload is issued, and due at the time that was
 * read.
 *
 * @param next when to look again
 */
export function updateToExpired(
  { upload_id, due_at }: DueUpload,
  expiredAt: Timestamp,
  next: Timestamp,
): ItemUpdate {
  return {
    Key: uploadKey(upload_id),
    UpdateExpression: 'SET #expired_at = if_not_exists(#expired_at, :at), #due_at = :next',
    ConditionExpression: '#state = :issued AND #due_at = :due',
    ExpressionAttributeNames: attributeNames('expired_at', 'due_at', 'state'),
    ExpressionAttributeValues: {
      ':at': { S: expiredAt },
      ':issued': { S: 'issued' },
      ':due': { S: due_at },
      ':next': { S: next },
    },
  };
}

/** Times at the end of a record. A time that the record has already stays. */
export type RecordEnd = {
  readonly [Name in 'expired_at' | 'deleted_at' | 'delete_after']?: Timestamp | undefined;
};

/** Ends the looks at an upload that nobody used. Rejected unless it is issued, and due at the time that was read. */
export function updateToUnused(found: DueUpload, end: RecordEnd): ItemUpdate {
  return withEnd(noLongerDue(found, 'issued'), end);
}

/** Records that the content of a replaced upload was deleted. Rejected when it is not completed, or due at another time. */
export function updateToContentDeleted(found: DueUpload, end: RecordEnd): ItemUpdate {
  return withEnd(noLongerDue(found, 'completed'), end);
}

function withEnd(update: ItemUpdate, { delete_after, ...texts }: RecordEnd): ItemUpdate {
  const end = textAttributes(texts);
  if (delete_after !== undefined) {
    end.delete_after = timeToLive(delete_after);
  }
  const names = Object.keys(end);
  if (names.length === 0) {
    return update;
  }
  const set = names.map((name) => `#${name} = if_not_exists(#${name}, :${name})`);
  const values = Object.entries(end).map(([name, value]) => [`:${name}`, value]);
  return {
    ...update,
    UpdateExpression: `${update.UpdateExpression} SET ${set.join()}`,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...attributeNames(...names) },
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...Object.fromEntries(values) },
  };
}

function noLongerDue({ upload_id, due_at }: DueUpload, state: 'issued' | 'completed'): ItemUpdate {
  return {
    Key: uploadKey(upload_id),
    UpdateExpression: 'REMOVE #due_shard, #due_at',
    ConditionExpression: '#due_at = :due AND #state = :state',
    ExpressionAttributeNames: attributeNames('due_shard', 'due_at', 'state'),
    ExpressionAttributeValues: { ':due': { S: due_at }, ':state': { S: state } },
  };
}

/** Moves the time at which an upload is looked at. Rejected when it is not due at the time that was read. */
export function updateDueAt({ upload_id, due_at }: DueUpload, next: Timestamp): ItemUpdate {
  return {
    Key: uploadKey(upload_id),
    UpdateExpression: 'SET #due_at = :next',
    ConditionExpression: '#due_at = :due',
    ExpressionAttributeNames: attributeNames('due_at'),
    ExpressionAttributeValues: { ':due': { S: due_at }, ':next': { S: next } },
  };
}
