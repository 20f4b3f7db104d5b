import { delayReads } from '../../dynamodb/delayed-reads.ts';
import type { TableEngine } from '../../dynamodb/engine.ts';
import { byIndex, table } from '../support/aws-services.ts';
import { openTables } from '../support/tables.ts';

const owned = table({ 'by-owner': 'owner' });
const TableName = owned.ref;
const keyOf = (S: string) => ({ id: { S } });

let engine: TableEngine;
beforeEach(async () => {
  const current = await openTables([owned]);
  await current.run('PutItem', { TableName, Item: keyOf('old') });
  engine = await delayReads(current, await openTables([]), [owned]);
});

const put = (id: string, text: string, ConditionExpression?: string) => {
  const Item = { ...keyOf(id), owner: { S: 'acme' }, value: { S: text } };
  return engine.run('PutItem', { TableName, Item, ConditionExpression });
};

/** Returns the results of an eventually consistent and of a consistent read of one item. */
const readsOf = (id: string) =>
  Promise.all(
    [false, true].map(async (ConsistentRead) => {
      const { Item } = await engine.run('GetItem', { TableName, Key: keyOf(id), ConsistentRead });
      return Object(Item).value?.S;
    }),
  );

describe('a read without consistency', () => {
  test('returns each item as it was before its last write', async () => {
    await put('a', 'first');
    expect(await readsOf('a')).toEqual([undefined, 'first']);
    await put('a', 'second');
    await put('b', 'other');
    expect(await readsOf('a')).toEqual(['first', 'second']);
    await engine.run('UpdateItem', {
      TableName,
      Key: keyOf('a'),
      UpdateExpression: 'SET #value = :value',
      ExpressionAttributeNames: { '#value': 'value' },
      ExpressionAttributeValues: { ':value': { S: 'third' } },
    });
    expect(await readsOf('a')).toEqual(['second', 'third']);
    await engine.run('DeleteItem', { TableName, Key: keyOf('a') });
    expect(await readsOf('a')).toEqual(['third', undefined]);
  });

  test('ignores a rejected write', async () => {
    await put('a', 'first');
    await put('a', 'second');
    await expect(put('a', 'third', 'attribute_not_exists(id)')).rejects.toThrow('conditional');
    expect(await readsOf('a')).toEqual(['first', 'second']);
  });

  test.for([
    ['a scan', 'Scan', { TableName }],
    ['a query of an index', 'Query', byIndex('by-owner', 'owner', 'acme')],
    ['a batch', 'BatchGetItem', { RequestItems: { [TableName]: { Keys: [keyOf('a'), keyOf('b')] } } }],
  ] as const)('of many items is as outdated: %s', async ([, operation, input]) => {
    await put('a', 'first');
    await put('a', 'second');
    await put('b', 'new');
    const output = JSON.stringify(await engine.run(operation, input));
    expect(output).toMatch('first');
    expect(output).not.toMatch(/second|new/);
  });
});
