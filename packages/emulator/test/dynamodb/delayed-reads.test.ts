import {
  DeleteItemCommand,
  type DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { beforeEach, describe, expect, test } from 'vitest';
import { byIndex, prepareRuns, table } from '../support/aws-services.ts';
import { clients } from '../support/clients.ts';

const TableName = 'test-Table';
const keyOf = (S: string) => ({ id: { S } });

let client: DynamoDBClient;
beforeEach(async () => {
  const runs = await prepareRuns([table({ 'by-owner': 'owner' })]);
  client = clients(await runs.start({ eventuallyConsistent: true })).dynamodb;
});

const put = (id: string, text: string, ConditionExpression?: string) => {
  const Item = { ...keyOf(id), owner: { S: 'acme' }, value: { S: text } };
  return client.send(new PutItemCommand({ TableName, Item, ConditionExpression }));
};

/** What a read of one item sees without consistency, and with it. */
async function readsOf(id: string): Promise<readonly (string | undefined)[]> {
  const read = async (ConsistentRead?: true) => {
    const get = new GetItemCommand({ TableName, Key: keyOf(id), ConsistentRead });
    return (await client.send(get)).Item?.value?.S;
  };
  return [await read(), await read(true)];
}

describe('a read without consistency', () => {
  test('sees an item as it was before its last write, whatever the others had', async () => {
    await put('a', 'first');
    expect(await readsOf('a')).toEqual([undefined, 'first']);
    await put('a', 'second');
    await put('b', 'other');
    expect(await readsOf('a')).toEqual(['first', 'second']);
    const update = {
      UpdateExpression: 'SET #value = :value',
      ExpressionAttributeNames: { '#value': 'value' },
    };
    const ExpressionAttributeValues = { ':value': { S: 'third' } };
    await client.send(
      new UpdateItemCommand({ TableName, Key: keyOf('a'), ...update, ExpressionAttributeValues }),
    );
    expect(await readsOf('a')).toEqual(['second', 'third']);
    await client.send(new DeleteItemCommand({ TableName, Key: keyOf('a') }));
    expect(await readsOf('a')).toEqual(['third', undefined]);
  });

  test('sees a write that was refused as no write', async () => {
    await put('a', 'first');
    await put('a', 'second');
    await expect(put('a', 'third', 'attribute_not_exists(id)')).rejects.toThrow('conditional');
    expect(await readsOf('a')).toEqual(['first', 'second']);
  });

  test('of many items is as late, by the table and by an index', async () => {
    await put('a', 'first');
    await put('a', 'second');
    await put('b', 'new');
    const texts = ({ Items = [] }: { Items?: Record<string, { S?: string }>[] | undefined }) =>
      Items.map((item) => item.value?.S).toSorted();
    const scan = async (ConsistentRead: boolean) =>
      texts(await client.send(new ScanCommand({ TableName, ConsistentRead })));
    expect(await scan(false)).toEqual(['first']);
    expect(await scan(true)).toEqual(['new', 'second']);
    const query = new QueryCommand(byIndex('by-owner', 'owner', 'acme'));
    expect(texts(await client.send(query))).toEqual(['first']);
  });
});
