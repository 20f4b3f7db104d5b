import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { InternalError } from './log.ts';

/**
 * Schemas of DynamoDB attribute values that parse to plain values. Written out here since the functions use five
 * types of attribute and a small bundle starts faster.
 */
export const textAttribute = v.pipe(
  v.object({ S: v.string() }),
  v.transform(({ S }) => S),
);

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

export type Item = Record<string, AttributeValue>;

/**
 * Reads an item as stored, and refuses one that is not as docs/storage.md says.
 *
 * @throws {InternalError} naming the table's word for the item and the attributes that are wrong, not their values
 */
export function parseItem<Schema extends v.GenericSchema>(
  name: string,
  schema: Schema,
  item: Item,
): v.InferOutput<Schema> {
  const result = v.safeParse(schema, item);
  if (!result.success) {
    const paths = result.issues.map((issue) => v.getDotPath(issue) ?? '(item)');
    throw new InternalError(`Stored ${name} is not as expected at: ${paths.join(', ')}`);
  }
  return result.output;
}

/** `#name` placeholders for attributes: several of ours (`name`, `state`, `status`, `key`) are reserved words. */
export function attributeNames(...names: readonly string[]): Record<string, string> {
  return Object.fromEntries(names.map((name) => [`#${name}`, name]));
}

/** A projection of the attributes with their placeholders. */
export function projection(...names: readonly string[]) {
  return {
    ProjectionExpression: names.map((name) => `#${name}`).join(', '),
    ExpressionAttributeNames: attributeNames(...names),
  };
}
