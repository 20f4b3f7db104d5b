import { expect, it } from 'vitest';
import { byIndex, table } from '../support/aws-services.ts';
import { openTables } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('a start keeps items, recreates changed indexes, rejects changed keys', async () => {
  const directory = await temporaryFolder();
  const first = await openTables([table({ 'by-owner': 'owner', 'by-state': 'state' })], directory);
  // More items than one page of a scan contains.
  const put = (_: unknown, number: number) =>
    first.run('PutItem', {
      TableName: 'test-Table',
      Item: {
        id: { S: String(number) },
        owner: { S: `owner-${number % 3}` },
        state: { S: `state-${number % 2}` },
        text: { S: 'x'.repeat(200_000) },
      },
    });
  await Promise.all(Array.from({ length: 8 }, put));
  await first.close();

  const second = await openTables([table({ 'by-owner': 'state', 'by-text': 'owner' })], directory);
  const idsOf = async (index: string, name: string, value: string) => {
    const { Items } = await second.run('Query', byIndex(index, name, value));
    return Array.from(Object(Items), ({ id }) => Number(id.S)).toSorted();
  };
  expect(await idsOf('by-owner', 'state', 'state-1')).toEqual([1, 3, 5, 7]);
  expect(await idsOf('by-text', 'owner', 'owner-2')).toEqual([2, 5]);
  await expect(idsOf('by-state', 'state', 'state-1')).rejects.toThrow('by-state');
  await second.close();
  await expect(openTables([table({}, { key: 'other' })], directory)).rejects.toThrow(
    'Table: the table test-Table in the state folder has other keys than the template. Empty the state folder to create the table again; its items are then lost.',
  );
});

it('an index of a killed process is created at the next start', async () => {
  const directory = await temporaryFolder();
  const owned = table({ 'by-owner': 'owner' });
  const TableName = owned.ref;
  const Item = { id: { S: 'a' }, owner: { S: 'acme' } };
  const killed = await openTables([owned], directory);
  await killed.run('PutItem', { TableName, Item });
  const create = killed.runCreation(TableName, async () => {
    await killed.run('CreateTable', { TableName, ...Object(owned.properties) });
    throw new Error('killed');
  });
  await expect(create).rejects.toThrow('killed');
  await killed.close();

  const next = await openTables([owned], directory);
  const found = await next.run('Query', byIndex('by-owner', 'owner', 'acme'));
  expect(found.Items).toEqual([Item]);
});
