import database from 'dynalite/db/index.js';
import validations from 'dynalite/validations/index.js';
import { expect, test } from 'vitest';
import { joinWrites } from '../../dynamodb/joined-writes.ts';
import { findInDynalite, type TableOperation } from '../../dynamodb/table-operations.ts';
import { atEnd } from '../support/at-end.ts';
import { table } from '../support/aws-services.ts';

/** Nothing promises what happens inside dynalite. If a release fails here, joined-writes.ts needs changes. */

const { ref: TableName, properties } = table({ 'by-owner': 'owner' });

test('dynalite writes the indexes of an item and then the item, as one change', async () => {
  const store = database.create({ createTableMs: 0, path: undefined });
  atEnd(() => new Promise((resolve) => store.lifecycleManager.gracefulClose(resolve)));
  const batches: string[][] = [];
  const { batch } = store.db;
  store.db.batch = (changes, done) => {
    batches.push((changes as { type: string; key: string }[]).map(({ type, key }) => `${type} ${key}`));
    return batch.call(store.db, changes, done);
  };
  joinWrites(store.db);
  const run = (operation: TableOperation, input: object) => {
    const { act, validation } = findInDynalite(operation);
    const checked = validations.checkTypes({ TableName, ...input }, validation.types);
    return new Promise<object | undefined>((resolve, reject) =>
      act(store, checked, (error, output) => (error ? reject(error) : resolve(output))),
    );
  };
  await run('CreateTable', Object(properties));
  await expect.poll(() => run('DescribeTable', {})).toMatchObject({ Table: { TableStatus: 'ACTIVE' } });
  batches.length = 0;

  const put = (owner: string) => run('PutItem', { Item: { id: { S: 'a' }, owner: { S: owner } } });
  await put('acme');
  await put('other');
  const index = expect.stringContaining('put index-global~test-Table~by-owner~');
  const oldIndex = expect.stringContaining('del index-global~test-Table~by-owner~');
  const itself = expect.stringContaining('put item-test-Table~');
  expect(batches).toEqual([
    [index, itself],
    [oldIndex, index, itself],
  ]);
});
