import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import { expect, test } from 'vitest';
import type { Item } from '../../storage/attributes.ts';
import { newestFirst, parsePlace, placeOf } from '../../storage/newest-first.ts';

const index = { name: 'newest', partitionKey: 'shard', sortKey: 'at', tableKey: 'id' };

const item = (shard: string, at: string, id: string): Item => ({
  shard: { S: shard },
  at: { S: at },
  id: { S: id },
});

const partitions = ['0', '1'];

/** Items of two partitions, newest first. `b2` to `e2` have the same time. */
const items = [
  item('1', '3', 'a3'),
  item('0', '2', 'b2'),
  item('1', '2', 'c2'),
  item('0', '2', 'd2'),
  item('0', '2', 'e2'),
  item('1', '1', 'f1'),
  item('0', '0', 'g0'),
];

/** Creates an index with two items in each response. It does not sort items of the same time by their ids. */
function startIndex() {
  const sent: QueryCommandInput[] = [];
  const send = async (input: QueryCommandInput) => {
    sent.push(input);
    const { ':partition': partition, ':from': from, ':to': to } = input.ExpressionAttributeValues ?? {};
    const found = items
      .filter(({ shard, at }) => shard?.S === partition?.S && inRange(at?.S, from?.S, to?.S))
      .toReversed()
      .sort((a, b) => Number(b.at?.S) - Number(a.at?.S));
    const start = found.findIndex(({ id }) => id?.S === input.ExclusiveStartKey?.id?.S) + 1;
    const Items = found.slice(start, start + 2);
    return { Items, LastEvaluatedKey: start + 2 < found.length ? Items[1] : undefined, $metadata: {} };
  };
  const read = async (range: { from?: string; to?: string }, after?: Item) => {
    const found: Item[] = [];
    for await (const one of newestFirst('Clients', { index, partitions, ...range }, send, after)) {
      found.push(one);
    }
    return found;
  };
  return { read, sent };
}

const inRange = (value = '', from = '', to = '') => from <= value && value <= to;

test('items of all partitions are read, newest first, of one time by their ids', async () => {
  const { read, sent } = startIndex();
  expect(await read({})).toEqual(items);
  expect(sent.filter((query) => query.ExclusiveStartKey === undefined)).toEqual(
    partitions.map((S) => ({
      TableName: 'Clients',
      IndexName: 'newest',
      ScanIndexForward: false,
      KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
      ExpressionAttributeNames: { '#partition': 'shard', '#sort': 'at' },
      ExpressionAttributeValues: { ':partition': { S }, ':from': { S: ' ' }, ':to': { S: '~' } },
      Limit: 60,
      ExclusiveStartKey: undefined,
    })),
  );
  expect(sent.slice(2).map(({ Limit }) => Limit)).toEqual([250, 250]);
});

test.for([...items.entries()])('reading continues after item %i', async ([position, last]) => {
  const after = parsePlace(placeOf(last, index), index);
  expect(await startIndex().read({}, after)).toEqual(items.slice(position + 1));
});

test('a range includes its first and its last time', async () => {
  expect(await startIndex().read({ from: '1', to: '2' })).toEqual(items.slice(1, 6));
});

test('a range that ends before it begins sends no query', async () => {
  const { read, sent } = startIndex();
  expect([await read({ from: '2', to: '1' }), sent]).toEqual([[], []]);
});

test.for(['', '2026', '~a', '2026~'])('%o is not a place in a list', (text) => {
  expect(parsePlace(text, index)).toBeUndefined();
});
