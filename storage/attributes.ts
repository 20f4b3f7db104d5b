import type {
  AttributeValue,
  GetItemCommandInput,
  PutItemCommandInput,
  UpdateItemCommandInput,
} from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { parseStored } from './stored-data.ts';

/** An item as DynamoDB returns it. */
export type Item = Record<string, AttributeValue>;

/** A stored time: ISO 8601 in UTC with milliseconds. Such times sort as text. */
export type Timestamp = string;

/** @param time milliseconds since the epoch, if it is a number */
export function timestamp(time: Date | number): Timestamp {
  return new Date(time).toISOString();
}

// Inputs of DynamoDB commands without the table name, which differs for each deployment. The caller adds the
// command class, so a function bundles only the commands that it uses, and the command line loads a command
// only when needed.
export type ItemRead = Omit<GetItemCommandInput, 'TableName'>;
export type ItemPut = Omit<PutItemCommandInput, 'TableName'>;
export type ItemUpdate = Omit<UpdateItemCommandInput, 'TableName'>;

// Schemas that parse attribute values to plain values. They support only the five attribute types in use. The
// SDK's own library (util-dynamodb) would add to bundle size and start time.

export const textAttribute = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

export const timeAttribute = v.pipe(textAttribute, v.isoTimestamp());

export const numberAttribute = v.pipe(
  v.object({ N: v.pipe(v.string(), v.regex(/^-?\d+$/)) }),
  v.transform(({ N }) => Number(N)),
  v.safeInteger(),
);

/**
 * A time to live: seconds since the epoch, the format that DynamoDB requires. Parsed to a {@link Timestamp}.
 */
const timeToLiveAttribute = v.pipe(
  numberAttribute,
  // Latest time that a Date can represent (ECMA-262, "Time Values and Time Range").
  v.maxValue(8_640_000_000_000),
  v.transform((seconds): Timestamp => timestamp(seconds * 1000)),
);

/**
 * Attributes of deleted items, and of upload records that are kept for a limited time. DynamoDB removes an item some
 * time after `delete_after`, within a few days ("Using time to live (TTL) in DynamoDB").
 */
export const deletionEntries = {
  /** Time of the deletion. From then on the service behaves as if the item did not exist. */
  deleted_at: v.exactOptional(timeAttribute),
  /** Time from which DynamoDB may remove the item. */
  delete_after: v.exactOptional(timeToLiveAttribute),
};

/** Attributes of a deletion that is being undone, or that erases content. */
export const undoEntries = {
  /** Time at which the undo of a deletion began. Absent after its last step, or once the item is deleted again. */
  undeleted_at: v.exactOptional(timeAttribute),
  /** Time at which an erasure began. Such a deletion cannot be undone. */
  erased_at: v.exactOptional(timeAttribute),
};

/** Attribute of organisations, and of their clients and files. */
export const suspensionEntries = {
  /** Time at which an operator suspended the organisation. Absent once it is resumed. */
  suspended_at: v.exactOptional(timeAttribute),
};

/**
 * Author and time of the last change by an operator. Changes by the service do not count. Absent in items that no
 * operator has changed.
 */
export const changeEntries = {
  updated_at: v.exactOptional(timeAttribute),
  /** The ARN of the operator, as returned by STS (API reference, GetCallerIdentity). */
  updated_by: v.exactOptional(textAttribute),
};

/**
 * Creates an update. In its expressions, `#name` is the attribute `name`, and `:name` is a value.
 *
 * @param values values by their names in the expressions
 *
 * @example
 * ```ts
 * itemUpdate(key, 'SET #name = :to', 'attribute_exists(#file_id)', textAttributes({ to: 'orders.csv' }));
 * ```
 */
export function itemUpdate(
  Key: Item,
  UpdateExpression: string,
  ConditionExpression: string,
  values: Item = {},
): ItemUpdate {
  const names = `${UpdateExpression} ${ConditionExpression}`.match(/(?<=#)\w+/g) ?? [];
  return {
    Key,
    UpdateExpression,
    ConditionExpression,
    ExpressionAttributeNames: attributeNames(...names),
    ...(Object.keys(values).length > 0 && { ExpressionAttributeValues: placeholders(values) }),
  };
}

/** Returns an update expression that sets attributes to the values with their names, and removes others. */
export function changesOf(set: Item, removed: readonly string[] = []): string {
  const assignments = Object.keys(set).map((name) => `#${name} = :${name}`);
  return [
    assignments.length > 0 ? `SET ${assignments.join(', ')}` : [],
    removed.length > 0 ? `REMOVE ${removed.map((name) => `#${name}`).join(', ')}` : [],
  ]
    .flat()
    .join(' ');
}

function placeholders(values: Item): Item {
  return Object.fromEntries(Object.entries(values).map(([name, value]) => [`:${name}`, value]));
}

/**
 * Adds the author and the time of a change to the update itself, so that one write stores both.
 *
 * @param update input. A SET clause comes first
 * @param change attributes of {@link changeEntries}
 */
export function updateWithChange(update: ItemUpdate, change: Item): ItemUpdate {
  const { UpdateExpression = '' } = update;
  const set = changesOf(change);
  return {
    ...update,
    // An expression may contain only one SET clause (DynamoDB, "Update expressions").
    UpdateExpression: UpdateExpression.startsWith('SET ')
      ? UpdateExpression.replace('SET', `${set},`)
      : `${set} ${UpdateExpression}`,
    ExpressionAttributeNames: {
      ...update.ExpressionAttributeNames,
      ...attributeNames(...Object.keys(change)),
    },
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ...placeholders(change) },
  };
}

/**
 * Adds the condition that no operator changed the item since it was read.
 *
 * @param seen `updated_at` of the item that was read
 */
export function updateIfUnchanged(update: ItemUpdate, seen: Timestamp): ItemUpdate {
  return {
    ...update,
    ConditionExpression: `(${update.ConditionExpression}) AND #updated_at = :seen`,
    ExpressionAttributeNames: { ...update.ExpressionAttributeNames, ...attributeNames('updated_at') },
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':seen': { S: seen } },
  };
}

/** Converts a time to a value of `delete_after`. Rounds up, so that no item is removed early. */
export function timeToLive(time: Timestamp): AttributeValue {
  return { N: String(Math.ceil(Date.parse(time) / 1000)) };
}

/**
 * Begins the deletion of a file or an organisation, and stops an undo. From then on, sync requests get 404, and no
 * upload becomes content of the file. A repeated update keeps the first times. Rejected if the item does not exist.
 *
 * @param erases true to rule out an undo. The deletion is then not complete until its end is written again
 */
export function updateToDeleted(key: Item, at: Timestamp, erases = false): ItemUpdate {
  const names = ['deleted_at', ...(erases ? ['erased_at'] : [])];
  const set = names.map((name) => `#${name} = if_not_exists(#${name}, :at)`);
  const ended = erases ? ', #delete_after, #closed_at' : '';
  return itemUpdate(
    key,
    `SET ${set.join(', ')} REMOVE #undeleted_at${ended}`,
    `attribute_exists(#${Object.keys(key)[0]})`,
    textAttributes({ at }),
  );
}

/**
 * Completes a deletion: lets DynamoDB remove the item after this time. Rejected if the item is not deleted, or if an
 * undo or an erasure has begun.
 *
 * @param erases true if this deletion is the erasure
 * @param closedAt time of the completion. Only an organisation stores it
 */
export function updateDeleteAfter(
  key: Item,
  deleteAfter: Timestamp,
  erases = false,
  closedAt?: Timestamp,
): ItemUpdate {
  const set = { delete_after: timeToLive(deleteAfter), ...textAttributes({ closed_at: closedAt }) };
  const plain =
    'attribute_exists(#deleted_at) AND attribute_not_exists(#undeleted_at) AND attribute_not_exists(#erased_at)';
  return itemUpdate(key, changesOf(set), erases ? 'attribute_exists(#erased_at)' : plain, set);
}

/**
 * Begins the undo of a deletion: takes its end away first, so that DynamoDB no longer removes the item. Rejected if
 * the item is no longer deleted as it was read, its content is erased, or DynamoDB may remove it already.
 */
export function updateToUndeleting(key: Item, deletedAt: Timestamp, at: Timestamp): ItemUpdate {
  return itemUpdate(
    key,
    'SET #undeleted_at = :at REMOVE #delete_after, #closed_at',
    '#deleted_at = :deleted AND attribute_not_exists(#erased_at) AND ' +
      '(attribute_not_exists(#delete_after) OR #delete_after > :now)',
    { ...textAttributes({ at, deleted: deletedAt }), now: timeToLive(at) },
  );
}

/**
 * Ends the undo of a deletion. Rejected unless the undo is the one that began at this time.
 *
 * @param set attributes that change
 * @param removed attributes that do not return
 */
export function updateToUndeleted(
  key: Item,
  undeletedAt: Timestamp,
  set: Item = {},
  removed: readonly string[] = [],
): ItemUpdate {
  return itemUpdate(
    key,
    changesOf(set, ['deleted_at', 'undeleted_at', ...removed]),
    '#undeleted_at = :began',
    { ...set, ...textAttributes({ began: undeletedAt }) },
  );
}

/**
 * Suspends an item. Rejected if it is suspended already, or does not exist.
 *
 * @param at undefined to resume the item. Rejected if it is not suspended
 * @param set other attributes to set
 */
export function updateSuspension(key: Item, at: Timestamp | undefined, set: Item = {}): ItemUpdate {
  const not = at === undefined ? '' : 'not_';
  const values = { ...set, ...textAttributes({ suspended_at: at }) };
  return itemUpdate(
    key,
    changesOf(values, at === undefined ? ['suspended_at'] : []),
    `attribute_exists(#${Object.keys(key)[0]}) AND attribute_${not}exists(#suspended_at)`,
    values,
  );
}

/** Adds days to a time. */
export function daysAfter(time: Timestamp, days: number): Timestamp {
  return later(time, days * 86_400_000);
}

/** Adds milliseconds to a time. */
export function later(time: Timestamp, milliseconds: number): Timestamp {
  return timestamp(Date.parse(time) + milliseconds);
}

export const booleanAttribute = v.pipe(
  v.object({ BOOL: v.boolean() }),
  v.transform(({ BOOL }) => BOOL),
);

export function listAttribute<const Item extends v.GenericSchema>(item: Item) {
  return v.pipe(
    v.object({ L: v.array(item) }),
    v.transform(({ L }) => L),
  );
}

export function mapAttribute<const Entries extends v.ObjectEntries>(entries: Entries) {
  return v.pipe(
    v.object({ M: v.object(entries) }),
    v.transform(({ M }) => M),
  );
}

/**
 * Creates a read of some attributes of an item: the projection that selects them, and the parser of the
 * result. Both are derived from one schema, so the parser expects only selected attributes.
 *
 * @param what name of the item in messages
 *
 * @example
 * ```ts
 * const access = selectAttributes('file', {
 *   organisation_id: fileEntries.organisation_id,
 *   sync_enabled: fileEntries.sync_enabled,
 *   deleted_at: fileEntries.deleted_at,
 * });
 * ```
 */
export function selectAttributes<const Entries extends v.ObjectEntries>(what: string, entries: Entries) {
  const schema = v.object(entries);
  const names = Object.keys(entries);
  return {
    projection: {
      ProjectionExpression: names.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: attributeNames(...names),
    },
    /** @throws {StoredDataError} if the item does not match docs/stored-items.md */
    parse: (item: Item): v.InferOutput<typeof schema> => parseStored(what, schema, item),
  };
}

/**
 * Returns placeholders (`#name`) for attribute names. DynamoDB reserves some names (`name`, `state`,
 * `status`, `key`).
 */
export function attributeNames(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}

/** Converts text attributes to DynamoDB's format. Leaves out undefined values. */
export function textAttributes(values: Readonly<Record<string, string | undefined>>): Item {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, { S: value }]])),
  );
}
