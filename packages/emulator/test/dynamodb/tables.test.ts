import { expect, it } from 'vitest';
import { openTableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/template-tables.ts';
import { byIndex, table } from '../support/aws-services.ts';
import { temporaryFolder } from '../support/temporary-folder.ts';

it('an index that a killed process had begun is made at the next start', async () => {
  const directory = await temporaryFolder();
  const owned = table({ 'by-owner': 'owner' });
  const TableName = owned.ref;
  const Item = { id: { S: 'a' }, owner: { S: 'acme' } };
  const begin = async () => openTableEngine(directory, 'us-east-1', '000000000000');
  const killed = await begin();
  await createTables(killed, [owned]);
  await killed.run('PutItem', { TableName, Item });
  const makeOnly = killed.make(TableName, async () => {
    await killed.run('CreateTable', { TableName, ...Object(owned.properties) });
    throw new Error('killed');
  });
  await expect(makeOnly).rejects.toThrow('killed');
  await killed.close();

  const next = await begin();
  await createTables(next, [owned]);
  const found = await next.run('Query', byIndex('by-owner', 'owner', 'acme'));
  expect(found.Items).toEqual([Item]);
  await next.close();
});
