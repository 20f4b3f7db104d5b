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

/** Time of the restore. */
const now = Date.parse('2026-04-01T00:00:00.000Z');

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
  admin({ ...aws.deployment, now: () => now }, ['--local', 'restore', '--from-table', table, ...flags]);
const restore = (...flags: readonly string[]) => restoreFrom('copy', ...flags);

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
  expect(plan.stdout.trimEnd().split('\n').toSorted()).toEqual(gone.map((id) => `missing ${id}  active`).toSorted());
  expect(plan.stderr).toContain('20 items missing, 1 kept.');
  expect(await itemsOf('clients')).toEqual(before);

  aws.deny(/PutItem/, 7);
  expect((await restore('--yes')).code).toBe(1);
  aws.deny(/^$/);
  const done = (await restore('--yes', '--json')).json();
  expect(done.written).toHaveLength(13);
  const items = await Promise.all(gone.map((id) => itemOf('clients', id)));
  expect(items).toMatchObject(gone.map((id) => ({ ...named(id), status: { S: 'revoked' } })));
  expect(await itemOf('clients', 'changed')).toMatchObject(deleted);
  expect(await itemOf('clients', 'later')).toBeDefined();
  expect((await restore('--yes', '--json')).json()).toEqual({ from_table: 'copy', written: [], kept: 21 });
}, 30_000);

test('a lost file points at its newest content, not at that of then', async () => {
  await restored('files', [fileWith('orders', 3), fileWith('invoices', 1)]);
  const superseded_at = '2026-03-01T11:00:00.000Z';
  await aws.putItem('uploads', uploadItem(3, { file_id: 'orders', superseded_at }));
  await aws.putItem('uploads', uploadItem(2, { file_id: 'orders' }));
  await aws.putItem('uploads', uploadItem(1, { file_id: 'invoices' }));
  expect((await restore('--yes', '--json')).json().written).toHaveLength(2);
  const byRestore = {
    updated_at: expect.anything(),
    updated_by: { S: 'arn:aws:iam::000000000000:user/operator' },
  };
  expect(await itemOf('files', 'orders')).toEqual({ ...fileWith('orders', 2), ...byRestore });
  expect(await itemOf('files', 'invoices')).toEqual({ ...fileWith('invoices', 1), ...byRestore });
});

test('an upload that was completed since is kept', async () => {
  const { size: _, etag: __, version_id: ___, completed_at: ____, ...issued } = uploadItem(1);
  await restored('uploads', [{ ...issued, state: { S: 'issued' } }, uploadItem(2)]);
  await aws.putItem('uploads', uploadItem(1));
  expect((await restore('--yes', '--json')).json()).toMatchObject({ written: [uploadIdOf(2)], kept: 1 });
  expect(await itemOf('uploads', uploadIdOf(1))).toMatchObject(uploadItem(1));
});

const later = (milliseconds: number) => new Date(now + milliseconds).toISOString();
const week = 7 * 86_400_000;
/** Marks of an upload whose content is deleted at a time. */
const superseded = (at: number, dueAt: string) => ({
  superseded_at: { S: later(at) },
  due_shard: { S: expect.stringMatching(/^deletion-[0-7]$/) },
  due_at: { S: dueAt },
});

test('a restored upload gets the place that its file has for it', async () => {
  const end = { deleted_at: '2026-03-02T00:00:00.000Z' };
  const delete_after = { N: '1780000000' };
  await aws.putItem('files', fileWith('orders', 4));
  await aws.putItem('files', { ...fileItem('deleted', 0, end), delete_after });
  const uploads = {
    replaced: uploadItem(5, { file_id: 'orders' }),
    current: uploadItem(4, { file_id: 'orders' }),
    newer: uploadItem(3, { file_id: 'orders' }),
    deleted: uploadItem(2, { file_id: 'deleted' }),
    alone: uploadItem(1, { file_id: 'lost' }),
  };
  await restored('uploads', Object.values(uploads));
  expect((await restore('--yes', '--json')).json()).toMatchObject({ kept: 0 });
  const [replaced, current, newer, deleted, alone] = await Promise.all(
    Object.values(uploads).map(({ upload_id }) => itemOf('uploads', upload_id?.S ?? '')),
  );
  expect(replaced).toMatchObject({ ...uploads.replaced, ...superseded(0, later(0)) });
  expect(current).toMatchObject(uploads.current);
  expect(current).not.toHaveProperty('due_at');
  expect(newer).toMatchObject({ state: { S: 'issued' }, due_shard: { S: '3' }, due_at: { S: later(0) } });
  const marks = { superseded_at: { S: end.deleted_at }, deleted_at: { S: end.deleted_at }, delete_after };
  expect(deleted).toMatchObject({ ...superseded(0, later(0)), ...marks });
  expect(alone).toMatchObject(superseded(0, later(week)));
});

test('a file that is restored after its uploads takes its content back', async () => {
  await aws.putItem('uploads', { ...uploadItem(2), ...superseded(0, later(week)), due_shard: { S: 'deletion-2' } });
  await restored('files', [fileWith('orders', 3)]);
  await restore('--yes');
  expect((await itemOf('files', 'orders'))?.content).toEqual(fileWith('orders', 2).content);
  const { superseded_at, due_shard, due_at } = (await itemOf('uploads', uploadIdOf(2))) ?? {};
  expect({ superseded_at, due_shard, due_at }).toEqual({});
});

test('a restore of 101 uploads of a file reads them and the file in batches', async () => {
  const uploads = Array.from({ length: 101 }, (_, hours) => uploadItem(hours));
  await restored('uploads', uploads);
  await aws.putItem('files', fileWith('orders', 0));
  aws.calls.clear();
  expect((await restore('--yes', '--json')).json().written).toHaveLength(101);
  expect(Object.fromEntries(aws.calls)).toMatchObject({ BatchGetItem: 4, PutItem: 101 });
  expect(aws.calls.has('GetItem')).toBe(false);
}, 30_000);

test('the question lists the secrets of a client, which returns revoked', async () => {
  const created_at = { S: '2026-01-01T00:00:00.000Z' };
  const secrets = { L: [{ M: { secret_id: { S: 'leaked' }, sha256: { S: 'a'.repeat(64) }, created_at } }] };
  const revoked = clientItem('old', 0, { status: 'revoked', revoked_at: '2026-02-01T00:00:00.000Z' });
  await restored('clients', [{ ...clientItem('a', 0), secrets }, revoked]);
  const plan = await restore();
  expect(plan.stdout).toContain('missing a  active, secret leaked of 2026-01-01T00:00:00.000Z');
  expect(plan.stderr).toContain('the listed secrets work again');
  await restore('--yes');
  expect(await itemOf('clients', 'a')).toMatchObject({
    status: { S: 'revoked' },
    revoked_at: { S: later(0) },
    secrets,
  });
  expect(await itemOf('clients', 'old')).toMatchObject(revoked);
});

test('an organisation is restored with the marks of its deletion', async () => {
  const begun = organisationItem('acme', 0, { deleted_at: '2026-02-01T00:00:00.000Z' });
  await restored('organisations', [begun]);
  expect((await restore('--yes', '--json')).json()).toMatchObject({ written: ['acme'], kept: 0 });
  expect(await itemOf('organisations', 'acme')).toMatchObject(begun);
});

test('an item that was written meanwhile is kept', async () => {
  await restored('clients', [clientItem('a', 0)]);
  database.middlewareStack.add(
    (next, context) => async (input) => {
      const output = await next(input);
      if (context.commandName === 'BatchGetItemCommand') {
        await aws.putItem('clients', clientItem('a', 0, { name: 'second' }));
      }
      return output;
    },
    { step: 'initialize' },
  );
  expect((await restore('--yes', '--json')).json()).toMatchObject({ written: [] });
  expect(await itemsOf('clients')).toMatchObject([{ name: { S: 'second' } }]);
});

test('a table that is no copy is rejected', async () => {
  const rejected = (reason: string) => failure(reason);
  expect(await restoreFrom('nothing', '--yes')).toMatchObject(rejected('nothing not found'));
  expect(await restoreFrom(aws.deployment.outputs.ClientsTableName, '--yes')).toMatchObject(
    rejected('" is not a copy of a table of this service. Nothing was changed.'),
  );
  await restored('clients', [], 'other_id');
  expect(await restore('--yes')).toMatchObject(rejected('is not a copy'));
});
