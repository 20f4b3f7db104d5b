import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { openTableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/tables.ts';
import { resource } from '../support/aws-services.ts';

it('an index that a killed process had begun to make is made at the next start', async () => {
  const directory = await mkdtemp(join(tmpdir(), 'emulator-tables-'));
  const properties = {
    AttributeDefinitions: ['id', 'owner'].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    GlobalSecondaryIndexes: [
      {
        IndexName: 'by-owner',
        KeySchema: [{ AttributeName: 'owner', KeyType: 'HASH' }],
        Projection: { ProjectionType: 'ALL' },
      },
    ],
    BillingMode: 'PAY_PER_REQUEST',
  };
  const TableName = 'test-Table';
  const Item = { id: { S: 'a' }, owner: { S: 'acme' } };
  const begin = async () => openTableEngine(directory, 'us-east-1', '000000000000');
  const killed = await begin();
  await createTables(killed, [resource('Table', 'AWS::DynamoDB::Table', properties)]);
  await killed.run('PutItem', { TableName, Item });
  const makeOnly = killed.make(TableName, async () => {
    await killed.run('CreateTable', { TableName, ...properties });
    throw new Error('killed');
  });
  await expect(makeOnly).rejects.toThrow('killed');
  await killed.close();

  const next = await begin();
  await createTables(next, [resource('Table', 'AWS::DynamoDB::Table', properties)]);
  const found = await next.run('Query', {
    TableName,
    IndexName: 'by-owner',
    KeyConditionExpression: '#o = :o',
    ExpressionAttributeNames: { '#o': 'owner' },
    ExpressionAttributeValues: { ':o': { S: 'acme' } },
  });
  expect(found.Items).toEqual([Item]);
  await next.close();
  await rm(directory, { recursive: true });
});
