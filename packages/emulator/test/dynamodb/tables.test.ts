import { createTables } from '../../dynamodb/template-tables.ts';
import { byIndex, table } from '../support/aws-services.ts';
import { openTables } from '../support/tables.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

const owned = table({ 'by-owner': 'owner' });
const TableName = owned.ref;
const Item = { id: { S: 'a' }, owner: { S: 'acme' } };
const query = byIndex('by-owner', 'owner', 'acme');

test('a start keeps the items of its tables', async () => {
  const directory = await temporaryFolder();
  const first = await openTables([owned], directory);
  await first.run('PutItem', { TableName, Item });
  await first.close();
  const second = await openTables([owned], directory);
  expect((await second.run('Query', query)).Items).toEqual([Item]);
});

test.for([
  ['keys', table({ 'by-owner': 'owner' }, { key: 'other' })],
  ['index keys', table({ 'by-owner': 'state' })],
  ['indexes', table()],
] as const)('a start rejects a table with other %s', async ([, changed]) => {
  const directory = await temporaryFolder();
  await (await openTables([owned], directory)).close();
  await expect(openTables([changed], directory)).rejects.toThrow(
    'Table: the table test-Table in the state folder has other keys or indexes than the template. Start with another state folder, or empty this one: its items are then lost.',
  );
});

test('a table whose creation was interrupted is created again', async () => {
  const engine = await openTables([owned]);
  const statuses = ['CREATING'];
  const interrupted: typeof engine = {
    ...engine,
    run: async (operation, input) => {
      const output = await engine.run(operation, input);
      const TableStatus = operation === 'DescribeTable' ? statuses.shift() : undefined;
      return TableStatus === undefined ? output : { Table: { ...Object(output.Table), TableStatus } };
    },
  };
  await createTables(interrupted, [owned]);
  await engine.run('PutItem', { TableName, Item });
  expect((await engine.run('Query', query)).Items).toEqual([Item]);
});
