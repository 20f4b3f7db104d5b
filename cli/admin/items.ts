import type { AttributeValue } from '@aws-sdk/client-dynamodb';

/** An item as DynamoDB returns it. What is in which: docs/storage.md. */
export type Item = Readonly<Record<string, AttributeValue>>;

/** A time as it is stored: ISO 8601 in UTC with milliseconds, so that times sort as text. */
export type Timestamp = string;

export function timestamp(date: Date): Timestamp {
  return date.toISOString();
}

/** @throws {Error} when the item was not written by this service */
export function readString(item: Item, name: string): string {
  const value = optionalString(item, name);
  if (value === undefined) throw unexpected(name, 'a string');
  return value;
}

export function optionalString(item: Item, name: string): string | undefined {
  return item[name]?.S;
}

/** @throws {Error} when the item was not written by this service */
export function readNumber(item: Item, name: string): number {
  const value = Number(item[name]?.N ?? Number.NaN);
  if (Number.isNaN(value)) throw unexpected(name, 'a number');
  return value;
}

/** @throws {Error} when the item was not written by this service */
export function readBoolean(item: Item, name: string): boolean {
  const value = item[name]?.BOOL;
  if (value === undefined) throw unexpected(name, 'true or false');
  return value;
}

/** @throws {Error} when the item was not written by this service */
export function readList(item: Item, name: string): readonly AttributeValue[] {
  const value = item[name]?.L;
  if (value === undefined) throw unexpected(name, 'a list');
  return value;
}

function unexpected(name: string, what: string): Error {
  return new Error(
    `A stored item has no attribute ${name} that is ${what}. Was it written by something else?`,
  );
}
