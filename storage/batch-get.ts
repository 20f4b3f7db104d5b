import type { BatchGetItemCommandInput, BatchGetItemCommandOutput } from '@aws-sdk/client-dynamodb';
import { type RetryPolicy, retry } from '../contract/internal/retry.ts';
import type { Item, ItemRead } from './attributes.ts';

/** Maximum number of items in one call (API reference, BatchGetItem). */
export const maxBatchItems = 100;

/** Sends a BatchGetItem. */
export type SendBatchGet = (input: BatchGetItemCommandInput) => Promise<BatchGetItemCommandOutput>;

/**
 * Reads items of a table, at most {@link maxBatchItems}, in any order. Missing items are left out. DynamoDB reads only
 * some of the items if it is busy, or if the response would exceed 16 MB. It may reject an immediate retry.
 *
 * @param keys may contain the same key several times
 * @param attributes attributes to read, and the consistency
 * @returns undefined if DynamoDB was too busy for all attempts
 */
export async function batchGet(
  table: string,
  keys: readonly Item[],
  attributes: Omit<ItemRead, 'Key'>,
  send: SendBatchGet,
  policy: RetryPolicy,
): Promise<readonly Item[] | undefined> {
  const found: Item[] = [];
  // DynamoDB rejects a repeated key.
  let left = [...new Map(keys.map((key) => [JSON.stringify(key), key])).values()];
  if (left.length === 0) {
    return found;
  }
  return retry(policy, async () => {
    const input = { RequestItems: { [table]: { ...attributes, Keys: left } } };
    const { Responses, UnprocessedKeys } = await send(input);
    found.push(...(Responses?.[table] ?? []));
    left = UnprocessedKeys?.[table]?.Keys ?? [];
    return left.length === 0 ? found : undefined;
  });
}
