import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { createBatchReader } from '../../../lambdas/reconcile-uploads/batch-reader.ts';
import { fakeClient } from '../support/fake-client.ts';

const [a, b] = [{ file_id: { S: 'a' } }, { file_id: { S: 'b' } }];

/** Reads two files, one of them twice, from a DynamoDB that returns these responses. */
function readFrom(...responses: readonly object[]) {
  const { client, inputs } = fakeClient<DynamoDBClient>(...responses);
  const readItem = createBatchReader(client, async () => undefined, {
    sleep: async () => undefined,
    random: () => 1,
  });
  const reads = [a, b, a].map((Key) => readItem('files', { Key, ConsistentRead: true }));
  return { inputs, reading: Promise.all(reads) };
}

const isBusy = { UnprocessedKeys: { files: { Keys: [b] } } };

test('reads share a call, which is repeated for unprocessed keys', async () => {
  const { inputs, reading } = readFrom(
    { Responses: { files: [a] }, ...isBusy },
    { Responses: { files: [b] } },
  );
  expect(await reading).toEqual([a, b, a]);
  const files = [[a, b], [b]].map((Keys) => ({ ConsistentRead: true, Keys }));
  expect(inputs).toEqual(files.map((read) => ({ RequestItems: { files: read } })));
});

test('a read fails when DynamoDB stays busy', async () => {
  const { reading } = readFrom(isBusy, { Responses: {}, ...isBusy });
  await expect(reading).rejects.toThrow('DynamoDB was too busy to read items of files');
});
