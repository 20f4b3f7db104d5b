import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import { beforeEach, expect, test, vi } from 'vitest';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { type Aws, startAws } from '../../support/aws.ts';
import { admin, failure } from '../../support/run-admin.ts';
import { clientItem, fileItem, organisationItem, uploadIdOf, uploadItem } from './items.ts';

const keys = {
  organisations: 'organisation_id',
  clients: 'client_id',
  files: 'file_id',
  uploads: 'upload_id',
} as const;
type TableName = keyof typeof keys;

let aws: Aws;
let database: DynamoDB;

beforeEach(async () => {
  aws = await startAws();
  database = await dynamoDBClient(aws.deployment);
});

/** Creates and fills a table as RestoreTableToPointInTime does: with the same key, under another name. */
async function restored(table: TableName, items: readonly Item[], key: string = keys[table]): Promise<void> {
  await database.createTable({
    TableName: 'copy',
    BillingMode: 'PAY_PER_REQUEST',
    AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
    KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
  });
  for (const Item of items) {
    await vi.waitFor(() => database.putItem({ TableName: 'copy', Item }));
  }
}

const itemsOf = async (table: TableName) => (await database.scan({ TableName: `test-${table}` })).Items ?? [];

async function itemOf(table: TableName, id: string): Promise<Item | undefined> {
  const Key = { [keys[table]]: { S: id } };
  return (await database.getItem({ TableName: `test-${table}`, Key, ConsistentRead: true })).Item;
}

const restoreFrom = (table: string, ...flags: readonly string[]) =>
  admin(aws.deployment, ['--local', 'restore', '--from-table', table, ...flags]);
const restore = (...flags: readonly string[]) => restoreFrom('copy', ...flags);
const restoreAll = async () => (await restore('--yes', '--json')).json();

/** Creates a file whose content is an upload of the given age, in hours. */
function fileWith(id: string, hours: number): Item {
  const { file_id: _file, organisation_id: _organisation, client_id: _client, ...upload } = uploadItem(hours);
  const { issued_at: _issued, expires_at: _expires, state: _state, ...content } = upload;
  return { ...fileItem(id, 0), content: { M: content } };
}

test('restore writes missing items, keeps the rest, and can be repeated', async () => {
  const named = (id: string) => clientItem(id, 0, { name: 'n'.repeat(60_000) });
  // These items fill more than one page of a scan.
  const gone = Array.from({ length: 20 }, (_, index) => `gone-${index}`);
  await restored('clients', [...gone, 'changed'].map(named));
  const deleted = clientItem('changed', 0, { deleted_at: '2026-02-01T00:00:00.000Z' });
  await aws.putItem('clients', deleted);
  await aws.putItem('clients', clientItem('later', 0));

  const before = await itemsOf('clients');
  const plan = await restore();
  expect(plan).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
  expect(plan.stdout.trimEnd().split('\n').toSorted()).toEqual(gone.map((id) => `missing ${id}`).toSorted());
  expect(plan.stderr).toContain('20 items missing, 1 kept.');
  expect(await itemsOf('clients')).toEqual(before);

  aws.deny(/PutItem/, 7);
  expect((await restore('--yes')).code).toBe(1);
  aws.deny(/^$/);
  const done = await restoreAll();
  expect(done.written).toHaveLength(13);
  const items = await Promise.all(gone.map((id) => itemOf('clients', id)));
  expect(items).toMatchObject(gone.map(named));
  expect(await itemOf('clients', 'changed')).toMatchObject(deleted);
  expect(await itemOf('clients', 'later')).toBeDefined();
  expect(await restoreAll()).toEqual({ from_table: 'copy', written: [], kept: 21 });
}, 30_000);

test('a lost file points at its newest content, not at that of then', async () => {
  await restored('files', [fileWith('orders', 3), fileWith('invoices', 1)]);
  const superseded_at = '2026-03-01T11:00:00.000Z';
  await aws.putItem('uploads', uploadItem(3, { file_id: 'orders', superseded_at }));
  await aws.putItem('uploads', uploadItem(2, { file_id: 'orders' }));
  await aws.putItem('uploads', uploadItem(1, { file_id: 'invoices' }));
  expect((await restoreAll()).written).toHaveLength(2);
  const superseded = { L: [{ S: uploadIdOf(3) }] };
  const byRestore = {
    updated_at: expect.anything(),
    updated_by: { S: 'arn:aws:iam::000000000000:user/operator' },
  };
  expect(await itemOf('files', 'orders')).toEqual({ ...fileWith('orders', 2), superseded, ...byRestore });
  expect(await itemOf('files', 'invoices')).toEqual({ ...fileWith('invoices', 1), ...byRestore });
});

test('an upload that was completed since is kept', async () => {
  const { size: _, etag: __, version_id: ___, completed_at: ____, ...issued } = uploadItem(1);
  await restored('uploads', [{ ...issued, state: { S: 'issued' } }, uploadItem(2)]);
  await aws.putItem('uploads', uploadItem(1));
  expect(await restoreAll()).toMatchObject({ written: [uploadIdOf(2)], kept: 1 });
  expect(await itemOf('uploads', uploadIdOf(1))).toMatchObject(uploadItem(1));
});

test('an organisation is restored with the marks of its deletion', async () => {
  const begun = organisationItem('acme', 0, { deleted_at: '2026-02-01T00:00:00.000Z' });
  await restored('organisations', [begun]);
  expect(await restoreAll()).toMatchObject({ written: ['acme'], kept: 0 });
  expect(await itemOf('organisations', 'acme')).toMatchObject(begun);
});

test('an item that was written meanwhile is kept', async () => {
  await restored('clients', [clientItem('a', 0)]);
  let reads = 0;
  database.middlewareStack.add(
    (next, context) => async (input) => {
      const output = await next(input);
      // Writes the client after both comparisons: the one for the question, and the one before the write.
      if (context.commandName === 'GetItemCommand' && ++reads === 2) {
        await aws.putItem('clients', clientItem('a', 0, { name: 'second' }));
      }
      return output;
    },
    { step: 'initialize' },
  );
  expect(await restoreAll()).toMatchObject({ written: [] });
  expect(await itemsOf('clients')).toMatchObject([{ name: { S: 'second' } }]);
});

test('a table that is no copy is rejected', async () => {
  expect(await restoreFrom('nothing', '--yes')).toMatchObject(failure('nothing not found'));
  expect(await restoreFrom(aws.deployment.outputs.ClientsTableName, '--yes')).toMatchObject(
    failure('" is not a copy of a table of this service. Nothing was changed.'),
  );
  await restored('clients', [], 'other_id');
  expect(await restore('--yes')).toMatchObject(failure('is not a copy'));
});
