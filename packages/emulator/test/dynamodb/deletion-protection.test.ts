import { expect, it } from 'vitest';
import { createTableProtection } from '../../dynamodb/deletion-protection.ts';
import { openTableEngine } from '../../dynamodb/engine.ts';
import { createTables } from '../../dynamodb/template-tables.ts';
import { table } from '../support/aws-services.ts';

it('deletion protection is as in the template until somebody changes it', async () => {
  const closed = table({}, { logicalId: 'Closed', DeletionProtectionEnabled: true });
  const open = table({}, { logicalId: 'Open' });
  const engine = await openTableEngine(undefined, 'us-east-1', '000000000000');
  await createTables(engine, [closed, open]);
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
  await engine.close();
});
