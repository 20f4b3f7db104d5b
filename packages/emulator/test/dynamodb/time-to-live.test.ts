import { DynamoDBClient, PutItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { AwsServices } from '../../aws-services.ts';
import { type AwsRuns, clientFor, prepareRuns, resource } from '../support/aws-services.ts';

const keys = {
  AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
  KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
  BillingMode: 'PAY_PER_REQUEST',
};
const limited = resource('Limited', 'AWS::DynamoDB::Table', {
  ...keys,
  TimeToLiveSpecification: { AttributeName: 'ends', Enabled: true },
});
const unlimited = resource('Unlimited', 'AWS::DynamoDB::Table', keys);

let runs: AwsRuns;
let aws: AwsServices;
let client: DynamoDBClient;
beforeAll(async () => {
  runs = await prepareRuns([limited, unlimited]);
  aws = await runs.start();
  client = new DynamoDBClient(clientFor(aws));
});
afterAll(() => runs.end());

const now = new Date('2026-01-31T12:00:00.000Z');
const seconds = now.getTime() / 1000;

beforeEach(async () => {
  const ends = {
    due: { N: String(seconds) },
    later: { N: String(seconds + 1) },
    text: { S: String(seconds) },
    'five years ago': { N: String(seconds - 5 * 366 * 86_400) },
  };
  for (const TableName of [limited.ref, unlimited.ref]) {
    for (const [id, value] of Object.entries(ends)) {
      await client.send(new PutItemCommand({ TableName, Item: { id: { S: id }, ends: value } }));
    }
    await client.send(new PutItemCommand({ TableName, Item: { id: { S: 'none' } } }));
  }
});

async function idsOf(TableName: string): Promise<readonly (string | undefined)[]> {
  const { Items = [] } = await client.send(new ScanCommand({ TableName }));
  return Items.map(({ id }) => id?.S).toSorted();
}

describe('a time to live', () => {
  test('removes an item whose number is over, and no other', async () => {
    await aws.applyRetention(now);
    expect(await idsOf(limited.ref)).toEqual(['five years ago', 'later', 'none', 'text']);
    expect(await idsOf(unlimited.ref)).toHaveLength(5);
  });

  test('reaches the items of a table that takes more than one turn', async () => {
    const Items = Array.from({ length: 120 }, (_, index) => ({
      id: { S: `item ${index}` },
      ends: { N: String(seconds) },
    }));
    await Promise.all(Items.map((Item) => client.send(new PutItemCommand({ TableName: limited.ref, Item }))));
    await aws.applyRetention(now);
    expect(await idsOf(limited.ref)).toEqual(['five years ago', 'later', 'none', 'text']);
  });

  test('is applied in the background, by the clock that was passed in', async () => {
    const later = await prepareRuns([limited]);
    try {
      const first = await later.start();
      const database = new DynamoDBClient(clientFor(first));
      const Item = { id: { S: 'due' }, ends: { N: String(Math.floor(Date.now() / 1000) - 1) } };
      await database.send(new PutItemCommand({ TableName: limited.ref, Item }));
      const scan = () => database.send(new ScanCommand({ TableName: limited.ref }));
      expect((await scan()).Items).toHaveLength(1);
      first.startBackgroundWork();
      await expect.poll(async () => (await scan()).Items).toEqual([]);
    } finally {
      await later.end();
    }
  });
});
