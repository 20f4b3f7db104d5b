import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { createReadTogether } from '../../../lambdas/reconcile-uploads/read-together.ts';

const keyOf = (id: string) => ({ file_id: { S: id } });

/** A DynamoDB that reads one item of a batch, and no more when it is busy. */
function readFrom(isBusy: boolean) {
  const batches: string[][] = [];
  const send = async ({
    input,
  }: {
    input: { RequestItems: { files: { Keys: { file_id: { S: string } }[] } } };
  }) => {
    const { Keys } = input.RequestItems.files;
    batches.push(Keys.map(({ file_id }) => file_id.S));
    const read = isBusy ? 0 : 1;
    const left = Keys.slice(read);
    const unread = left.length > 0 ? { files: { Keys: left } } : {};
    return { Responses: { files: Keys.slice(0, read) }, UnprocessedKeys: unread };
  };
  const client = { send } as unknown as DynamoDBClient;
  const readItem = createReadTogether(client, async () => undefined);
  const readAll = (ids: readonly string[]) =>
    Promise.all(ids.map((id) => readItem('files', { Key: keyOf(id) })));
  return { readAll, batches };
}

test('reads that come together share a call, which asks again for what DynamoDB left out', async () => {
  const { readAll, batches } = readFrom(false);
  expect(await readAll(['a', 'b', 'a'])).toEqual([keyOf('a'), keyOf('b'), keyOf('a')]);
  expect(batches).toEqual([['a', 'b'], ['b']]);
});

test('a read fails when DynamoDB stays busy, and does not find the item absent', async () => {
  const { readAll, batches } = readFrom(true);
  await expect(readAll(['a'])).rejects.toThrow('DynamoDB was too busy to read items of files');
  expect(batches).toHaveLength(4);
});
