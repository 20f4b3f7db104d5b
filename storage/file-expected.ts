import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import {
  attributeNames,
  changesOf,
  type Item,
  type ItemUpdate,
  itemUpdate,
  later,
  mapAttribute,
  numberAttribute,
  periodNames,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';

/**
 * The index of watched files, by the time at which the service must check them. The index is sparse: files that are
 * not watched, not enabled, suspended or deleted lack its keys. The index contains only the keys.
 */
export const expectedIndex = {
  name: 'expected',
  partitionKey: 'expected_state',
  sortKey: 'expected_by',
  attributes: [],
  sparse: true,
} as const;

/** The partitions of the index: content is awaited, or a deadline has passed without content. */
const expectedStates = ['waiting', 'overdue'] as const;

export type ExpectedState = (typeof expectedStates)[number];

const expectedAttribute = mapAttribute({
  /** Longest time between two contents. */
  every_seconds: numberAttribute,
  /** Additional time before the file is overdue. */
  grace_seconds: numberAttribute,
});

const expectedStateAttribute = v.pipe(textAttribute, v.picklist(expectedStates));

/** Attributes of a watched file. */
export const expectedEntries = {
  expected: v.exactOptional(expectedAttribute),
  /** Time at which the file is overdue, unless content arrives before. */
  expected_by: v.exactOptional(timeAttribute),
  expected_state: v.exactOptional(expectedStateAttribute),
};

/** Interval at which content of a file must arrive. */
export type Expected = v.InferOutput<typeof expectedAttribute>;

/** Returns the key of a file in the table. */
export function fileKey(fileId: string): Item {
  return { file_id: { S: fileId } };
}

/** Returns the time at which a file without later content is overdue. */
export function deadlineAfter(arrivedAt: Timestamp, { every_seconds, grace_seconds }: Expected): Timestamp {
  return later(arrivedAt, (every_seconds + grace_seconds) * 1000);
}

/** Returns the attributes of a file whose period starts now. Empty if the file is not watched. */
export function periodAttributes(expected: Expected | undefined, now: Timestamp): Item {
  return expected === undefined ? {} : waitingUntil(deadlineAfter(now, expected));
}

/**
 * Returns the attributes of a file whose new content arrived. Empty if the file is not watched now, or if the content
 * arrived so long ago that the file is overdue again. A deadline never moves back: uploads may be recorded late, and
 * out of order.
 */
export function arrivalAttributes(
  { expected, expected_by }: { readonly expected?: Expected; readonly expected_by?: Timestamp },
  arrivedAt: Timestamp,
  now: Timestamp,
): Item {
  if (expected === undefined || expected_by === undefined) {
    return {};
  }
  const next = deadlineAfter(arrivedAt, expected);
  return next > now ? waitingUntil(next > expected_by ? next : expected_by) : {};
}

function waitingUntil(deadline: Timestamp): Item {
  return textAttributes({ expected_state: 'waiting', expected_by: deadline });
}

/** Returns the first deadline after now, in whole periods from a missed deadline. */
export function deadlineAfterMissed(
  missed: Timestamp,
  { every_seconds }: Expected,
  now: Timestamp,
): Timestamp {
  const period = every_seconds * 1000;
  const periods = Math.floor((Date.parse(now) - Date.parse(missed)) / period) + 1;
  return later(missed, periods * period);
}

const expectedFileSchema = v.object({
  file_id: textAttribute,
  expected_by: textAttribute,
  expected_state: expectedStateAttribute,
});

/** An item of the index: one watched file. */
export type ExpectedFile = v.InferOutput<typeof expectedFileSchema>;

/** @throws {StoredDataError} if the item is not an item of the index */
export function expectedFileFromItem(item: Item): ExpectedFile {
  return parseStored('watched file', expectedFileSchema, item);
}

/**
 * Queries one partition, by deadline. Reads of an index are eventually consistent.
 *
 * @param until latest deadline
 */
export function queryExpected(state: ExpectedState, until: Timestamp): Omit<QueryCommandInput, 'TableName'> {
  return {
    IndexName: expectedIndex.name,
    KeyConditionExpression: '#expected_state = :state AND #expected_by <= :until',
    ExpressionAttributeNames: attributeNames('expected_state', 'expected_by'),
    ExpressionAttributeValues: { ':state': { S: state }, ':until': { S: until } },
  };
}

/** Changes state and deadline of a watched file. Rejected if the deadline is not the one that was read. */
export function updateDeadline(
  { file_id, expected_by }: ExpectedFile,
  state: ExpectedState,
  deadline: Timestamp,
): ItemUpdate {
  const set = textAttributes({ expected_state: state, expected_by: deadline });
  const values = { ...set, ...textAttributes({ read: expected_by }) };
  return itemUpdate(fileKey(file_id), changesOf(set), '#expected_by = :read', values);
}

/** Removes a file from the index. Rejected if the deadline is not the one that was read. */
export function updateToUnexpected({ file_id, expected_by }: ExpectedFile): ItemUpdate {
  const values = textAttributes({ read: expected_by });
  return itemUpdate(fileKey(file_id), changesOf({}, periodNames), '#expected_by = :read', values);
}
