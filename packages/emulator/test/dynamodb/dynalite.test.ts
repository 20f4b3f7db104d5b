import database, { type Store } from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { joinWrites } from '../../dynamodb/joined-writes.ts';
import { findInDynalite, type TableOperation } from '../../dynamodb/table-operations.ts';

/**
 * The inside of dynalite that engine.ts and joined-writes.ts rely on. dynalite promises nothing of it: a release in which a
 * test here fails needs changes there, and in dynalite.d.ts.
 */

const TableName = 'orders';

let store: Store;
const batches: string[][] = [];

beforeEach(async () => {
  store = database.create({ createTableMs: 0, path: undefined });
  store.tableDb.awsRegion = 'us-east-1';
  store.tableDb.awsAccountId = '000000000000';
  const { batch } = store.db;
  store.db.batch = (changes, done) => {
    batches.push((changes as { type: string; key: string }[]).map(({ type, key }) => `${type} ${key}`));
    return batch.call(store.db, changes, done);
  };
  joinWrites(store.db);
  const key = (AttributeName: string) => [{ AttributeName, KeyType: 'HASH' }];
  const index = { IndexName: 'by-owner', KeySchema: key('owner'), Projection: { ProjectionType: 'ALL' } };
  await run('CreateTable', {
    TableName,
    AttributeDefinitions: ['id', 'owner'].map((AttributeName) => ({ AttributeName, AttributeType: 'S' })),
    KeySchema: key('id'),
    GlobalSecondaryIndexes: [index],
    BillingMode: 'PAY_PER_REQUEST',
  });
  await expect.poll(describeTable).toMatchObject({ TableStatus: 'ACTIVE' });
  batches.length = 0;
});
afterEach(() => new Promise((resolve) => store.lifecycleManager.gracefulClose(resolve)));

function run(operation: TableOperation, input: object): Promise<Record<string, unknown>> {
  const { act, validation } = findInDynalite(operation);
  const checked = validations.checkTypes({ ...input }, validation.types);
  validations.checkValidations(checked, validation.types, validation.custom, store);
  return new Promise((resolve, reject) =>
    act(store, checked, (error, output) => (error ? reject(error) : resolve(output ?? {}))),
  );
}

const describeTable = async () => (await run('DescribeTable', { TableName })).Table;

const item = (owner: string) => ({ id: { S: 'a' }, owner: { S: owner } });

describe('dynalite still', () => {
  test('names tables by the account and the Region of its store', async () => {
    const TableArn = 'arn:aws:dynamodb:us-east-1:000000000000:table/orders';
    expect(await describeTable()).toMatchObject({ TableArn });
  });

  test('writes the indexes of an item and then the item, in one turn', async () => {
    await run('PutItem', { TableName, Item: item('acme') });
    await run('PutItem', { TableName, Item: item('other') });
    const index = expect.stringMatching(/^put index-global~orders~by-owner~/);
    const oldIndex = expect.stringMatching(/^del index-global~orders~by-owner~/);
    const itself = expect.stringMatching(/^put item-orders~/);
    expect(batches).toEqual([
      [index, itself],
      [oldIndex, index, itself],
    ]);
  });

  test('scans without a parameter ConsistentRead', () => {
    expect(findInDynalite('Scan').validation.types).not.toHaveProperty('ConsistentRead');
  });

  test('keeps a table under its name, and reads in the turn that asks', async () => {
    expect(store.db.getSync(`table~${TableName}`)).toMatchObject({ TableName });
    await new Promise((resolve) => store.tableDb.del(TableName, resolve));
    expect(store.db.getSync(`table~${TableName}`)).toBeUndefined();
  });
});
