import { setTimeout as sleep } from 'node:timers/promises';
import { BatchGetItemCommand, type DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { RetryPolicy } from '../../contract/internal/retry.ts';
import type { Item, ItemRead } from '../../storage/attributes.ts';
import { batchGet, maxBatchItems, type SendBatchGet } from '../../storage/batch-get.ts';
import { InternalError } from '../shared/log/log.ts';
import { batch } from '../shared/recording/batch.ts';
import type { ReadItem } from '../shared/recording/recording-tables.ts';

/**
 * Creates a read that gets items of a table in one call. All reads of a table request the same attributes.
 *
 * @throws {InternalError} if DynamoDB is too busy
 */
export function createBatchReader(
  dynamodb: DynamoDBClient,
  gather: () => Promise<unknown>,
  waits: Pick<RetryPolicy, 'sleep' | 'random'> = { sleep, random: Math.random },
): ReadItem {
  // At most 1.4 s of waits.
  const policy = { firstWaitMilliseconds: 200, maxAttempts: 4, ...waits };
  const send: SendBatchGet = (input) => dynamodb.send(new BatchGetItemCommand(input));
  const readAll = async (table: string, reads: readonly ItemRead[]) => {
    const { Key: _, ...attributes } = reads[0] ?? {};
    const keys = reads.map(({ Key = {} }) => Key);
    const found = await batchGet(table, keys, attributes, send, policy);
    if (found === undefined) {
      throw new InternalError(`DynamoDB was too busy to read items of ${table}`);
    }
    const items = new Map(found.map((item) => [idIn(item, keys[0]), item]));
    return keys.map((key) => items.get(idIn(key, key)));
  };
  const readers = new Map<string, ReturnType<typeof batch<ItemRead, Item>>>();
  return (table, read) => {
    const reader = readers.get(table) ?? batch((reads) => readAll(table, reads), maxBatchItems, gather);
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
