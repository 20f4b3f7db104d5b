import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../storage/attributes.ts';
import { newestFirst, parsePlace, placeOf } from '../../storage/newest-first.ts';

const index = { name: 'newest', partitionKey: 'shard', sortKey: 'at', tableKey: 'id' };

const partitions = ['0', '1'];

/** Items of two partitions by time and id, newest first. */
const items = ['1 3 a', '0 2 b', '1 2 c', '0 2 d', '0 2 e', '1 1 f', '0 0 g'].map((text): Item => {
  const [shard = '', at = '', id = ''] = text.split(' ');
  return { shard: { S: shard }, at: { S: at }, id: { S: id } };
});

/** Creates an index with two items in each response. It does not sort items of the same time by their ids. */
function startIndex() {
  const sent: QueryCommandInput[] = [];
  const send = async (input: QueryCommandInput) => {
    sent.push(input);
    const { ':partition': partition, ':from': from, ':to': to } = input.ExpressionAttributeValues ?? {};
    const found = items
      .filter(({ shard }) => shard?.S === partition?.S)
      .filter(({ at }) => Number(at?.S) >= Number(from?.S) && !(Number(at?.S) > Number(to?.S)))
      .toReversed()
      .sort((a, b) => Number(b.at?.S) - Number(a.at?.S));
    const start = found.findIndex(({ id }) => id?.S === input.ExclusiveStartKey?.id?.S) + 1;
    const Items = found.slice(start, start + 2);
    return { Items, LastEvaluatedKey: start + 2 < found.length ? Items[1] : undefined, $metadata: {} };
  };
  const read = async (range: { from?: string; to?: string }, after?: Item) => {
    const found: Item[] = [];
    for await (const item of newestFirst('Clients', { index, partitions, ...range }, send, after)) {
      found.push(item);
    }
    return found;
  };
  return { read, sent };
}

test('items of all partitions are read, newest first, of one time by their ids', async () => {
  const { read, sent } = startIndex();
  expect(await read({})).toEqual(items);
  expect(sent.map(({ Limit }) => Limit)).toEqual([60, 60, 250, 250]);
});

test.for([...items.entries()])('reading continues after item %i', async ([position, last]) => {
  const { read, sent } = startIndex();
  const after = parsePlace(placeOf(last, index), index);
  expect(await read({}, after)).toEqual(items.slice(position + 1));
  expect(sent[0]?.ExpressionAttributeValues?.[':to']).toEqual(last.at);
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
