import * as v from 'valibot';
import { uploadUrlLifetimeSeconds } from '../contract/limits.ts';
import {
  type Item,
  type ItemUpdate,
  itemUpdate,
  later,
  type Timestamp,
  textAttribute,
  textAttributes,
  timestamp,
  timeToLive,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import { queryUntil } from './table.ts';
import { uuidV7Time } from './uuid-v7.ts';

/**
 * The index of uploads that the service must check. The index is sparse: the write that completes the last
 * step of an upload removes `due_shard` and `due_at`. So a query reads only due uploads, whatever the total
 * number of uploads. The index contains only the keys.
 */
export const dueIndex = {
  name: 'due',
  partitionKey: 'due_shard',
  sortKey: 'due_at',
  attributes: [],
  sparse: true,
} as const;

/**
 * The partitions of the index. One partition supports 1,000 writes a second (DynamoDB, "Best practices for
 * designing and using partition keys"), and each upload writes to it twice.
 */
export const uploadShards = ['0', '1', '2', '3', '4', '5', '6', '7'] as const;

/** Partitions of content that may be deleted. */
export const deletionShards = uploadShards.map((shard) => `deletion-${shard}` as const);

/** All partitions of the index. */
export const dueShards = [...uploadShards, ...deletionShards] as const;

export type DueShard = (typeof dueShards)[number];

const minute = 60_000;

/**
 * Time between the expiry of an upload URL and the first check of its upload. It covers the delivery of the
 * event of a last-second upload and both retries by Lambda: after one minute, and after two more.
 */
const marginMilliseconds = 10 * minute;

/**
 * Time reserved for a PUT that is in progress when its URL expires: S3 checks the expiry only at the start of
 * a request. The service does not wait for slower PUTs.
 */
const slowestUploadMilliseconds = 24 * 60 * minute;

/** The wait after a failed check of an upload. Other uploads are checked in the meantime. */
const retryMilliseconds = 60 * minute;

/**
 * Age at which an object without a record counts as an object without an event. Most events arrive within
 * seconds, and Lambda retries a failed event after one minute.
 */
const lateEventMilliseconds = 2 * minute;

/**
 * Due time after which an upload is overdue: six runs did not reach it. After a pause, such as a deployment,
 * the reconciliation catches up sooner.
 */
export const overdueSeconds = 30 * 60;

/** Returns the key of an upload in the table. */
export function uploadKey(uploadId: string): Item {
  return { upload_id: { S: uploadId } };
}

/** Returns the attributes of an upload that is due at the given time. */
export function dueAttributes(uploadId: string, dueAt: Timestamp) {
  return { due_shard: shardOf(uploadId), due_at: dueAt };
}

/** Returns the attributes of a replaced upload whose content is due for deletion. */
export function deletionAttributes(uploadId: string, replacedAt: Timestamp) {
  return { due_shard: `deletion-${shardOf(uploadId)}`, due_at: deletionAt(uploadId, replacedAt) };
}

/**
 * Returns the shard of an upload. The last digit of a UUIDv7 is random, so uploads are spread over the shards
 * evenly.
 */
export function shardOf(uploadId: string): string {
  return String(Number.parseInt(uploadId.slice(-1), 16) % uploadShards.length);
}

/** Returns the time of the first check of an upload. */
export function firstCheckAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, marginMilliseconds);
}

/**
 * Returns the time of the last check of an upload that expired unused. By then, no PUT to its URL is in
 * progress.
 */
export function lastCheckAt(expiresAt: Timestamp): Timestamp {
  return later(expiresAt, slowestUploadMilliseconds + marginMilliseconds);
}

/**
 * Returns the time at which the content of a replaced upload is deleted, never before the last check of the
 * upload. The key of a deleted object is free, so a PUT that began before the URL expired could store a new
 * object. The latest expiry of the URL follows from the upload id.
 */
export function deletionAt(uploadId: string, replacedAt: Timestamp): Timestamp {
  const last = lastCheckAt(latestExpiry(uploadId));
  return last > replacedAt ? last : replacedAt;
}

function latestExpiry(uploadId: string): Timestamp {
  return timestamp(uuidV7Time(uploadId) + uploadUrlLifetimeSeconds * 1000);
}

/** Returns the time of the next check after a failed check. */
export function nextCheckAt(now: Date): Timestamp {
  return later(timestamp(now), retryMilliseconds);
}

/** Returns the time of the next check of an upload whose event EventBridge did not accept. */
export function nextAnnouncementAt(now: Date): Timestamp {
  return later(timestamp(now), 5 * minute);
}

const dueSchema = v.object({ upload_id: textAttribute, due_at: textAttribute });

/** An item of the index: one due upload. */
export type DueUpload = v.InferOutput<typeof dueSchema>;

/** Queries one partition for due uploads, oldest first. */
export function queryDue(shard: DueShard, now: Timestamp, Limit: number) {
  return { ...queryUntil(dueIndex, shard, now), Limit };
}

/** @throws {StoredDataError} if the item is not an item of the index */
export function dueFromItem(item: Item): DueUpload {
  return parseStored('due upload', dueSchema, item);
}

/**
 * Queries one partition for uploads that are not due yet, newest first, from the URLs that were issued two
 * minutes ago. An event removes its upload, so a stored upload among them lacks its event.
 */
export function queryUnrecorded(shard: DueShard, now: Timestamp, limit: number): ReturnType<typeof queryDue> {
  const to = firstCheckAt(later(now, uploadUrlLifetimeSeconds * 1000 - lateEventMilliseconds));
  const query = queryDue(shard, to, limit);
  return {
    ...query,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :until',
    ExpressionAttributeValues: { ...query.ExpressionAttributeValues, ':from': { S: now } },
    ScanIndexForward: false,
  };
}

/** False for an upload of {@link queryUnrecorded} that was checked before. */
export function isBeforeFirstCheck({ upload_id }: DueUpload, now: Timestamp): boolean {
  return firstCheckAt(latestExpiry(upload_id)) > now;
}

/** True if the event of an object that was stored at this time should have arrived. */
export function isEventLate(storedAt: Date, now: Date): boolean {
  return storedAt.getTime() <= now.getTime() - lateEventMilliseconds;
}

/**
 * Cancels an upload whose cancellation is announced. The upload is then no longer due. Rejected if the upload
 * is completed or does not exist. A repeated update keeps the first time.
 */
export function updateToCancelledAndAnnounced(
  uploadId: string,
  cancelledAt: Timestamp,
  announcedAt: Timestamp,
): ItemUpdate {
  return itemUpdate(
    uploadKey(uploadId),
    'SET #state = :cancelled, #cancelled_at = if_not_exists(#cancelled_at, :at), ' +
      '#announced_at = if_not_exists(#announced_at, :announced) REMOVE #due_shard, #due_at',
    '#state IN (:issued, :cancelled)',
    textAttributes({ issued: 'issued', cancelled: 'cancelled', at: cancelledAt, announced: announcedAt }),
  );
}

/**
 * Records that an upload URL expired unused. The state stays `issued`, so a slow PUT that ends later can
 * still be completed. A repeated update keeps the first time. Rejected unless the upload is issued, and due
 * at the time that was read.
 *
 * @param next time of the next check
 */
export function updateToExpired(
  { upload_id, due_at }: DueUpload,
  expiredAt: Timestamp,
  next: Timestamp,
): ItemUpdate {
  return itemUpdate(
    uploadKey(upload_id),
    'SET #expired_at = if_not_exists(#expired_at, :at), #due_at = :next',
    '#state = :issued AND #due_at = :due',
    textAttributes({ at: expiredAt, issued: 'issued', due: due_at, next }),
  );
}

/** Times at the end of a record. A time that is already stored does not change. */
export type RecordEnd = {
  readonly [Name in 'expired_at' | 'deleted_at' | 'delete_after']?: Timestamp | undefined;
};

/** Ends the checks of an unused upload. Rejected unless it is issued, and due at the time that was read. */
export function updateToUnused(found: DueUpload, end: RecordEnd): ItemUpdate {
  return noLongerDue(found, 'issued', end);
}

/** Records that the content of a replaced upload was deleted. Rejected when it is not completed, or due at another time. */
export function updateToContentDeleted(found: DueUpload, end: RecordEnd): ItemUpdate {
  return noLongerDue(found, 'completed', end);
}

function noLongerDue(
  { upload_id, due_at }: DueUpload,
  state: 'issued' | 'completed',
  { delete_after, ...texts }: RecordEnd,
): ItemUpdate {
  const end = {
    ...textAttributes(texts),
    ...(delete_after !== undefined && { delete_after: timeToLive(delete_after) }),
  };
  const set = Object.keys(end).map((name) => `#${name} = if_not_exists(#${name}, :${name})`);
  return itemUpdate(
    uploadKey(upload_id),
    `REMOVE #due_shard, #due_at ${set.length > 0 ? `SET ${set.join()}` : ''}`,
    '#due_at = :due AND #state = :state',
    { ...end, ...textAttributes({ due: due_at, state }) },
  );
}

/** Changes the time of the next check of an upload. Rejected if it is not due at the time that was read. */
export function updateDueAt({ upload_id, due_at }: DueUpload, next: Timestamp): ItemUpdate {
  const values = textAttributes({ due: due_at, next });
  return itemUpdate(uploadKey(upload_id), 'SET #due_at = :next', '#due_at = :due', values);
}
