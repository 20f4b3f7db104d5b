import { afterEach, beforeEach, expect, it } from 'vitest';
import { openTableEngine, type TableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/tables.ts';
import type { Resource } from '../../shared/resource-type.ts';

const index = (name: string) => ({
  IndexName: `by-${name}`,
  KeySchema: [{ AttributeName: name, KeyType: 'HASH' }],
  Projection: { ProjectionType: 'KEYS_ONLY' },
});

function template(...indexes: readonly string[]): readonly Resource[] {
  return [
    {
      logicalId: 'Table',
      type: 'AWS::DynamoDB::Table',
      ref: 'table',
      attributes: {},
      properties: {
        AttributeDefinitions: ['id', ...indexes].map((name) => ({ AttributeName: name, AttributeType: 'S' })),
        KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
        ...(indexes.length > 0 && { GlobalSecondaryIndexes: indexes.map(index) }),
        BillingMode: 'PAY_PER_REQUEST',
      },
    },
  ];
}

let engine: TableEngine;
beforeEach(async () => {
  engine = await openTableEngine(undefined, 'us-east-1', '000000000000');
  await createTables(engine, template('owner'));
  for (let number = 0; number < 30; number += 1) {
    const Item = { id: { S: `${number}` }, owner: { S: `owner-${number % 2}` }, colour: { S: 'red' } };
    await engine.run('PutItem', { TableName: 'table', Item });
  }
});
afterEach(() => engine.close());

async function found(from: TableEngine, name: string, value: string): Promise<number> {
  const { Count } = await from.run('Query', {
    TableName: 'table',
    IndexName: `by-${name}`,
    KeyConditionExpression: '#name = :value',
    ExpressionAttributeNames: { '#name': name },
    ExpressionAttributeValues: { ':value': { S: value } },
  });
  return Number(Count);
}

const tableNames = async () => (await engine.run('ListTables', {})).TableNames;

it('an index that is new in the template has the items that the table had, and the others still have them', async () => {
  await createTables(engine, template('owner', 'colour'));
  expect(await found(engine, 'colour', 'red')).toBe(30);
  expect(await found(engine, 'owner', 'owner-1')).toBe(15);
  const { Count } = await engine.run('Scan', { TableName: 'table' });
  expect(Count).toBe(30);
  expect(await tableNames()).toEqual(['table']);
});

it('an index that a killed process began is finished by the next start', async () => {
  let writes = 0;
  const killed: TableEngine = {
    ...engine,
    run: async (operation, input) => {
      writes += operation === 'PutItem' ? 1 : 0;
      if (writes > 10) {
        throw new Error('killed');
      }
      return engine.run(operation, input);
    },
  };
  await expect(createTables(killed, template('owner', 'colour'))).rejects.toThrow('killed');
  expect(await found(engine, 'colour', 'red')).toBeLessThan(30);
  await createTables(engine, template('owner', 'colour'));
  expect(await found(engine, 'colour', 'red')).toBe(30);
  expect(await tableNames()).toEqual(['table']);
});

it('a table that was removed between two steps of that is made again with its items', async () => {
  let forgotten = 0;
  const killed: TableEngine = {
    ...engine,
    forget: async (name) => {
      await engine.forget(name);
      forgotten += 1;
      throw new Error('killed');
    },
  };
  await expect(createTables(killed, template('owner', 'colour'))).rejects.toThrow('killed');
  expect(forgotten).toBe(1);
  await createTables(engine, template('owner', 'colour'));
  expect(await found(engine, 'colour', 'red')).toBe(30);
});

it('a table that has an index which the template lacks is refused', async () => {
  await expect(createTables(engine, template())).rejects.toThrow(/other keys or indexes/);
});
