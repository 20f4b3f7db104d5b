import { afterAll, beforeAll, expect, it } from 'vitest';
import { createTableProtection } from '../../dynamodb/deletion-protection.ts';
import { openTableEngine, type TableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/tables.ts';
import type { Resource } from '../../shared/resource-type.ts';

const table = (name: string, properties: object = {}): Resource => ({
  logicalId: name,
  type: 'AWS::DynamoDB::Table',
  ref: name,
  attributes: {},
  properties: {
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
    ...properties,
  },
});
const resources = [table('open'), table('closed', { DeletionProtectionEnabled: true })];

let engine: TableEngine;
beforeAll(async () => {
  engine = await openTableEngine(undefined, 'us-east-1', '000000000000');
  await createTables(engine, resources);
});
afterAll(() => engine.close());

const described = (DeletionProtectionEnabled: boolean) => ({
  Table: expect.objectContaining({ DeletionProtectionEnabled, TableStatus: 'ACTIVE' }),
});

it('is what the template says, until somebody changes it', async () => {
  const protection = createTableProtection(engine, resources);
  expect(await protection.describe({ TableName: 'closed' })).toEqual(described(true));
  expect(await protection.describe({ TableName: 'open' })).toEqual(described(false));
  await protection.update({ TableName: 'open', DeletionProtectionEnabled: true });
  expect(await protection.describe({ TableName: 'open' })).toEqual(described(true));
});
