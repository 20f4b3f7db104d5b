import * as v from 'valibot';
import {
  changesOf,
  type Item,
  type ItemUpdate,
  itemUpdate,
  later,
  mapAttribute,
  numberAttribute,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
} from './attributes.ts';

/**
 * The index of watched files, by the time at which the service must check them. The index is sparse: files that are
 * not watched lack its keys. The index contains only the keys.
 */
export const expectedIndex = {
  name: 'expected',
  partitionKey: 'expected_state',
  sortKey: 'expected_by',
  attributes: [],
  sparse: true,
} as const;

const expectedAttribute = mapAttribute({
  /** Expected interval of content. */
  every_seconds: numberAttribute,
  /** Additional time before the file is overdue. */
  grace_seconds: numberAttribute,
});

/** Attributes of a watched file. The last two are keys of the index. */
export const expectedEntries = {
  expected: v.exactOptional(expectedAttribute),
  /** Deadline: time at which the file is overdue, unless content arrives before. */
  expected_by: v.exactOptional(timeAttribute),
  /** `overdue` if no content arrived before the last deadline. */
  expected_state: v.exactOptional(v.pipe(textAttribute, v.picklist(['waiting', 'overdue']))),
};

/** Interval at which content of a file must arrive. */
export type Expected = v.InferOutput<typeof expectedAttribute>;

/** Interval and deadline of a file. Both are undefined if the file is not watched. */
interface Watch {
  readonly expected?: Expected | undefined;
  readonly expected_by?: Timestamp;
}

/** Returns the key of a file in the table. */
export function fileKey(fileId: string): Item {
  return { file_id: { S: fileId } };
}

/**
 * Returns the attributes of a new period of a file: the interval and the grace time, until the deadline. Empty if the
 * file is not watched, or if the period is over already. The deadline never moves back: uploads may be recorded late,
 * and out of order.
 *
 * @param from start of the period: the arrival of content, or now
 */
export function periodAttributes({ expected, expected_by = '' }: Watch, from: Timestamp, now = from): Item {
  if (expected === undefined) {
    return {};
  }
  const deadline = later(from, (expected.every_seconds + expected.grace_seconds) * 1000);
  const latest = deadline > expected_by ? deadline : expected_by;
  return deadline > now ? textAttributes({ expected_state: 'waiting', expected_by: latest }) : {};
}

/**
 * Records that a file is overdue, or removes the file from the index. Rejected if its deadline is not the one that was
 * read.
 *
 * @param next next deadline of an overdue file. Undefined to remove the file
 */
export function updateDeadline(fileId: string, read: Timestamp, next?: Timestamp): ItemUpdate {
  const set = textAttributes({ expected_state: next && 'overdue', expected_by: next });
  const removed = next === undefined ? ['expected_state', 'expected_by'] : [];
  const values = { ...set, ...textAttributes({ read }) };
  return itemUpdate(fileKey(fileId), changesOf(set, removed), '#expected_by = :read', values);
}
