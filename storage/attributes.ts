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

/** A time as it is stored: ISO 8601 in UTC with milliseconds, so that times sort as text. */
export type Timestamp = string;

export function timestamp(date: Date): Timestamp {
  return date.toISOString();
}

// What is read, put and updated, without the table: only a deployment knows its name. A function sends these with a
// command class of its own bundle, and the command line with one that it loads when it needs it.
export type ItemRead = Omit<GetItemCommandInput, 'TableName'>;
export type ItemPut = Omit<PutItemCommandInput, 'TableName'>;
export type ItemUpdate = Omit<UpdateItemCommandInput, 'TableName'>;

// Schemas of attribute values that parse to plain values. Written here and not taken from the SDK's library, because
// five types of attribute are used and a small bundle starts faster.

export const textAttribute = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

export const timeAttribute = v.pipe(textAttribute, v.isoTimestamp());

export const numberAttribute = v.pipe(
  v.object({ N: v.pipe(v.string(), v.regex(/^-?\d+$/)) }),
  v.transform(({ N }) => Number(N)),
);

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
 * Some attributes of an item: the projection that asks for them, and the parser of what comes back. Both are made
 * from the same schema, so that nothing is parsed that was not asked for.
 *
 * @param what the item's name in messages
 */
export function selectAttributes<const Entries extends v.ObjectEntries>(what: string, entries: Entries) {
  const schema = v.object(entries);
  const names = Object.keys(entries);
  return {
    projection: {
      ProjectionExpression: names.map((name) => `#${name}`).join(', '),
      ExpressionAttributeNames: attributeNames(...names),
    },
    /** @throws {StoredDataError} when the item is not as docs/storage.md says */
    parse: (item: Item): v.InferOutput<typeof schema> => parseStored(what, schema, item),
  };
}

/** `#name` placeholders: DynamoDB reserves some of our names (`name`, `state`, `status`, `key`). */
export function attributeNames(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}

/** Attributes in the form in which DynamoDB stores them. An attribute without a value is left out. */
export function textAttributes(values: Readonly<Record<string, string | undefined>>): Item {
  return Object.fromEntries(
    Object.entries(values).flatMap(([name, value]) => (value === undefined ? [] : [[name, { S: value }]])),
  );
}
