import { uploadUrlLifetimeSeconds } from '../contract/limits.ts';
import { type Timestamp, timestamp } from './attributes.ts';
import { type DueUpload, firstCheckAt, latestExpiry, queryDue } from './upload-due.ts';

/**
 * Age at which an object without a record counts as an object without an event. Most events arrive within
 * seconds, and Lambda retries a failed event after one minute.
 */
export const lateEventMilliseconds = 2 * 60_000;

/** Number of uploads that a sample reads in each range of a partition. */
export const sampleSize = 2;

/** A part of the index, by the times at which its uploads are due. */
export interface DueRange {
  readonly from: Timestamp;
  readonly to: Timestamp;
}

/**
 * Returns two ranges of uploads that are not due yet. An event removes an upload from them, so a stored upload
 * in them lacks its event. The first ends at the URLs that were issued two minutes ago, and the second at a
 * random time: a sample reads the newest uploads of both, so that unused URLs cannot hide all others.
 *
 * @param random number from 0 up to 1, like `Math.random`
 */
export function unrecordedRanges(now: Date, random: () => number): readonly [DueRange, DueRange] {
  const start = now.getTime() + 1;
  const lastIssue = now.getTime() - lateEventMilliseconds;
  const end = firstCheckAt(timestamp(new Date(lastIssue + uploadUrlLifetimeSeconds * 1000)));
  const from = timestamp(new Date(start));
  return [
    { from, to: end },
    { from, to: timestamp(new Date(start + random() * (Date.parse(end) - start))) },
  ];
}

/** Queries one partition for unrecorded uploads, newest first. Reads of an index are eventually consistent. */
export function queryUnrecorded(
  shard: Parameters<typeof queryDue>[0],
  { from, to }: DueRange,
  page: Parameters<typeof queryDue>[2],
): ReturnType<typeof queryDue> {
  const { ExpressionAttributeValues, ...query } = queryDue(shard, to, page);
  return {
    ...query,
    KeyConditionExpression: '#due_shard = :shard AND #due_at BETWEEN :from AND :now',
    ExpressionAttributeValues: { ...ExpressionAttributeValues, ':from': { S: from } },
    ScanIndexForward: false,
  };
}

/**
 * True if the upload waits for its first check. After a failure, or if its URL expired unused, an upload in the
 * index waits for another check. Its id contains the time of issue, except for a moment.
 */
export function isBeforeFirstCheck({ upload_id, due_at }: DueUpload): boolean {
  const early = Date.parse(firstCheckAt(latestExpiry(upload_id))) - Date.parse(due_at);
  return Math.abs(early) < 5_000;
}

/** True if the event of an object that was stored at this time should have arrived. */
export function isEventLate(storedAt: Date, now: Date): boolean {
  return storedAt.getTime() <= now.getTime() - lateEventMilliseconds;
}
