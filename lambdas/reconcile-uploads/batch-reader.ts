import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item, ItemRead } from '../../storage/attributes.ts';
import { InternalError } from '../shared/log/log.ts';
import { batch } from '../shared/recording/batch.ts';
import type { ReadItem } from '../shared/recording/recording-tables.ts';

/** Maximum number of items in one call (API reference, BatchGetItem). */
const maxItems = 100;

/**
 * Maximum number of attempts to read all items. A busy DynamoDB reads only some of them, and would reject an
 * immediate retry.
 */
const maxAttempts = 4;

/**
 * Creates a read that gets items of a table in one call. All reads of a table request the same attributes.
 *
 * @throws {InternalError} if DynamoDB is too busy
 */
export function createBatchReader(
  dynamodb: DynamoDBClient,
  gather: () => Promise<unknown>,
  wait: (milliseconds: number) => Promise<unknown> = sleep,
): ReadItem {
  const readAll = async (table: string, reads: readonly ItemRead[]) => {
    const items = new Map<string, Item>();
    const { Key: _, ...attributes } = reads[0] ?? {};
    // DynamoDB rejects a repeated key.
    let left = [...new Map(reads.map(({ Key = {} }) => [idIn(Key, Key), Key])).values()];
    for (let attempt = 0; left.length > 0; attempt += 1) {
      if (attempt === maxAttempts) {
        throw new InternalError(`DynamoDB was too busy to read items of ${table}`);
      }
      await wait(attempt * 100);
      const RequestItems = { [table]: { ...attributes, Keys: left } };
      const response = await dynamodb.send(new BatchGetItemCommand({ RequestItems }));
      response.Responses?.[table]?.forEach((item) => {
        items.set(idIn(item, left[0]), item);
      });
      left = response.UnprocessedKeys?.[table]?.Keys ?? [];
    }
    return reads.map(({ Key = {} }) => items.get(idIn(Key, Key)));
  };
  const readers = new Map<string, ReturnType<typeof batch<ItemRead, Item>>>();
  return (table, read) => {
    const reader = readers.get(table) ?? batch((reads) => readAll(table, reads), maxItems, gather);
    readers.set(table, reader);
    return reader(read);
  };
}

/** Returns the id of an item from a key of its table. */
function idIn(item: Item, key: Item = {}): string {
  return Object.keys(key)
    .map((name) => JSON.stringify(item[name]))
    .join();
}
