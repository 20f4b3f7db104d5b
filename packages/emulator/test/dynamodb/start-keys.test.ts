import type { ScanCommandInput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const owned = table({ 'by-owner': 'owner' });
const { dynamodb } = clients(await (await prepareRuns([owned])).start());
for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
  const Item = { id: { S: id }, owner: { S: `owner-${id}` } };
  await dynamodb.putItem({ TableName: owned.ref, Item });
}

const scan = (input: Partial<ScanCommandInput>) =>
  dynamodb.scan({ TableName: owned.ref, IndexName: 'by-owner', Limit: 1, TotalSegments: 2, ...input });

test('a parallel scan continues from each key that it returned', async () => {
  const ids: (string | undefined)[] = [];
  for (const Segment of [0, 1]) {
    let ExclusiveStartKey: ScanCommandInput['ExclusiveStartKey'];
    do {
      const { Items = [], LastEvaluatedKey } = await scan({ Segment, ExclusiveStartKey });
      ids.push(...Items.map(({ id }) => id?.S));
      ExclusiveStartKey = LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  }
  expect(ids.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('a parallel scan rejects a start key of another segment', async () => {
  const { LastEvaluatedKey } = await scan({ Segment: 0 });
  await expect(scan({ Segment: 1, ExclusiveStartKey: LastEvaluatedKey })).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Exclusive start key must lie within the segment',
  });
});
