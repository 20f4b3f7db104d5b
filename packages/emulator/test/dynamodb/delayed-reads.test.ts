import {
  DeleteItemCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  ScanCommand,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';

const table = resource('Table', 'AWS::DynamoDB::Table', {
  AttributeDefinitions: [
    { AttributeName: 'id', AttributeType: 'S' },
    { AttributeName: 'owner', AttributeType: 'S' },
  ],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  GlobalSecondaryIndexes: [
    {
      IndexName: 'by-owner',
      KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
      Projection: { ProjectionType: 'ALL' },
    },
  ],
  BillingMode: 'PAY_PER_REQUEST',
});
const TableName = table.ref;

let runs: AwsRuns;
let aws: AwsServices;
let client: DynamoDBClient;
beforeAll(async () => {
  runs = await prepareRuns([table]);
  await start();
});
afterEach(() => Promise.all(['a', 'b'].flatMap((id) => [remove(id), remove(id)])));
afterAll(() => runs.end());

async function start(): Promise<void> {
  aws = await runs.start({ eventuallyConsistent: true });
  client = new DynamoDBClient(clientFor(aws));
}

const text = (S: string) => ({ S });
const put = (id: string, value: string, more = {}) =>
  client.send(
    new PutItemCommand({
      TableName,
      Item: { id: text(id), owner: text('acme'), value: text(value) },
      ...more,
    }),
  );
const remove = (id: string) => client.send(new DeleteItemCommand({ TableName, Key: { id: text(id) } }));

async function get(id: string, ConsistentRead?: boolean): Promise<string | undefined> {
  const { Item } = await client.send(
    new GetItemCommand({
      TableName,
      Key: { id: text(id) },
      ProjectionExpression: '#value',
      ExpressionAttributeNames: { '#value': 'value' },
      ...(ConsistentRead === undefined ? {} : { ConsistentRead }),
    }),
  );
  return Item?.value?.S;
}

async function scan(ConsistentRead: boolean): Promise<readonly (string | undefined)[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName, ConsistentRead }));
  return Items.map(({ value }) => value?.S);
}

function query(IndexName: string | undefined, attribute: string, value: string, ConsistentRead = false) {
  const query = new QueryCommand({
    TableName,
    IndexName,
    ConsistentRead,
    KeyConditionExpression: '#key = :value',
    ExpressionAttributeNames: { '#key': attribute },
    ExpressionAttributeValues: { ':value': text(value) },
  });
  return client.send(query).then(({ Items = [] }) => Items.map(({ value }) => value?.S));
}

describe('a read without consistency', () => {
  test('sees nothing of an item that was written once', async () => {
    await put('a', 'first');
    expect([await get('a'), await get('a', false), await get('a', true)]).toEqual([
      undefined,
      undefined,
      'first',
    ]);
  });

  test('sees an item as it was before its last write, whatever the others had', async () => {
    await put('a', 'first');
    await put('a', 'second');
    await put('b', 'other');
    expect([await get('a'), await get('a', true)]).toEqual(['first', 'second']);
    await client.send(
      new UpdateItemCommand({
        TableName,
        Key: { id: text('a') },
        UpdateExpression: 'SET #value = :value',
        ExpressionAttributeNames: { '#value': 'value' },
        ExpressionAttributeValues: { ':value': text('third') },
      }),
    );
    expect([await get('a'), await get('a', true)]).toEqual(['second', 'third']);
    await remove('a');
    expect([await get('a'), await get('a', true)]).toEqual(['third', undefined]);
  });

  test('sees a write that was refused as no write', async () => {
    await put('a', 'first');
    await put('a', 'second');
    const onlyNew = { ConditionExpression: 'attribute_not_exists(id)' };
    await expect(put('a', 'third', onlyNew)).rejects.toMatchObject({
      name: 'ConditionalCheckFailedException',
    });
    expect([await get('a'), await get('a', true)]).toEqual(['first', 'second']);
  });

  test('of many items is as late, by the table and by an index', async () => {
    await put('a', 'first');
    await put('a', 'second');
    await put('b', 'new');
    expect(await scan(false)).toEqual(['first']);
    expect((await scan(true)).toSorted()).toEqual(['new', 'second']);
    expect(await query(undefined, 'id', 'a')).toEqual(['first']);
    expect(await query(undefined, 'id', 'a', true)).toEqual(['second']);
    expect(await query('by-owner', 'owner', 'acme')).toEqual(['first']);
  });
});

test('no index is read consistently, as in DynamoDB', async () => {
  await expect(query('by-owner', 'owner', 'acme', true)).rejects.toMatchObject({
    name: 'ValidationException',
  });
});
