import { PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import { prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const owned = table({ 'by-owner': 'owner' });
const { dynamodb } = clients(await (await prepareRuns([owned])).start());
for (const id of ['a', 'b', 'c', 'd', 'e', 'f', 'g']) {
  const Item = { id: { S: id }, owner: { S: `owner-${id}` } };
  await dynamodb.send(new PutItemCommand({ TableName: owned.ref, Item }));
}

const scan = (input: Omit<ConstructorParameters<typeof ScanCommand>[0], 'TableName'>) =>
  dynamodb.send(new ScanCommand({ TableName: owned.ref, Limit: 1, ...input }));

test.for<[string, { IndexName?: string }]>([
  ['the table', {}],
  ['an index', { IndexName: 'by-owner' }],
])('a parallel scan of %s goes on from each key that it returned', async ([, of]) => {
  const ids: (string | undefined)[] = [];
  for (const Segment of [0, 1]) {
    let ExclusiveStartKey: Awaited<ReturnType<typeof scan>>['LastEvaluatedKey'];
    do {
      const page = await scan({ ...of, Segment, TotalSegments: 2, ExclusiveStartKey });
      ids.push(...(page.Items ?? []).map(({ id }) => id?.S));
      ExclusiveStartKey = page.LastEvaluatedKey;
    } while (ExclusiveStartKey !== undefined);
  }
  expect(ids.toSorted()).toEqual(['a', 'b', 'c', 'd', 'e', 'f', 'g']);
});

test('a parallel scan refuses a start key that no segment returned', async () => {
  const ExclusiveStartKey = { id: { S: '~' }, owner: { S: 'owner-a' } };
  const invented = { IndexName: 'by-owner', TotalSegments: 1, Segment: 0, ExclusiveStartKey };
  await expect(scan(invented)).rejects.toMatchObject({
    name: 'ValidationException',
    message: 'Exclusive start key must lie within the segment',
  });
});

test('a parallel scan refuses a start key of another segment', async () => {
  const pages = await Promise.all([0, 1].map((Segment) => scan({ Segment, TotalSegments: 2 })));
  const { LastEvaluatedKey: ExclusiveStartKey } = pages[0] ?? {};
  await expect(scan({ Segment: 1, TotalSegments: 2, ExclusiveStartKey })).rejects.toThrow(
    'Exclusive start key must lie within the segment',
  );
});

test('a scan refuses a start key that lacks a key member', async () => {
  const lacking = { IndexName: 'by-owner', ExclusiveStartKey: { owner: { S: 'owner-a' } } };
  await expect(scan(lacking)).rejects.toThrow('The provided starting key is invalid');
});
