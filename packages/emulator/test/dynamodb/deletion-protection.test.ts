import { expect, it } from 'vitest';
import { createTableProtection } from '../../dynamodb/deletion-protection.ts';
import { table } from '../support/aws-services.ts';
import { openTables } from '../support/tables.ts';

it('deletion protection is as in the template until it is changed', async () => {
  const closed = table({}, { logicalId: 'Closed', DeletionProtectionEnabled: true });
  const open = table({}, { logicalId: 'Open' });
  const engine = await openTables([closed, open]);
  const protection = createTableProtection(engine, [closed, open]);
  const described = async (TableName: string) => (await protection.describe({ TableName })).Table;
  expect(await described(closed.ref)).toMatchObject({
    DeletionProtectionEnabled: true,
    TableStatus: 'ACTIVE',
    TableArn: 'arn:aws:dynamodb:us-east-1:000000000000:table/test-Closed',
  });
  expect(await described(open.ref)).toMatchObject({ DeletionProtectionEnabled: false });
  await protection.update({ TableName: open.ref, DeletionProtectionEnabled: true });
  expect(await described(open.ref)).toMatchObject({ DeletionProtectionEnabled: true });
});
