import type { DynamoDB } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../../tools/operator/deployment/aws-clients.ts';
import { readItem } from '../../../tools/operator/deployment/items.ts';
import { createCopy } from '../../docs/support/tables.ts';
import { type Aws, startAws } from '../../support/aws.ts';
import { adminOf, failure } from '../../support/run-admin.ts';
import { clientItem, fileItem, uploadIdOf, uploadItem } from './items.ts';

type Noun = 'client' | 'file' | 'upload';

/** Time of the restore. */
const now = Date.parse('2026-04-01T00:00:00.000Z');

let aws: Aws;
let database: DynamoDB;

beforeEach(async () => {
  aws = await startAws();
  database = await dynamoDBClient(aws.deployment);
});

const restored = (noun: Noun, items: readonly Item[]) =>
  createCopy(aws.deployment, `${noun}_id`, 'copy', items);

const clients = async () => (await database.scan({ TableName: 'test-clients' })).Items ?? [];
const itemOf = (noun: Noun, id: string) => readItem(aws.deployment, noun, id);

const restoreFrom = (table: string, ...flags: readonly string[]) =>
  adminOf({ ...aws.deployment, now: () => now })(`restore --from-table ${table}`, ...flags);
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
  await restored('client', [...gone, 'changed'].map(named));
  const deleted = clientItem('changed', 0, { deleted_at: '2026-02-01T00:00:00.000Z' });
  await aws.putItem('clients', deleted);
  await aws.putItem('clients', clientItem('later', 0));

  const before = await clients();
  const plan = await restore();
  expect(plan).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });
  expect(plan.stdout.trimEnd().split('\n').toSorted()).toEqual(
    gone.map((id) => `missing ${id}  active from every address`).toSorted(),
  );
  expect(plan.stderr).toContain('20 items missing, 1 kept.');
  expect(await clients()).toEqual(before);

  aws.deny(/PutItem/, 7);
  expect((await restore('--yes')).code).toBe(1);
  aws.deny(/^$/);
  const done = await restoreAll();
  expect(done.written).toHaveLength(13);
  const items = await Promise.all(gone.map((id) => itemOf('client', id)));
  expect(items).toMatchObject(gone.map((id) => ({ ...named(id), status: { S: 'revoked' } })));
  expect(await itemOf('client', 'changed')).toMatchObject(deleted);
  expect(await itemOf('client', 'later')).toBeDefined();
  expect(await restoreAll()).toEqual({ from_table: 'copy', written: [], kept: 21 });
}, 30_000);

test('a lost file points at its newest content, not at that of then', async () => {
  await restored('file', [fileWith('orders', 3), fileWith('invoices', 1)]);
  const superseded_at = '2026-03-01T11:00:00.000Z';
  await aws.putItem('uploads', uploadItem(3, { file_id: 'orders', superseded_at }));
  await aws.putItem('uploads', uploadItem(2, { file_id: 'orders' }));
  await aws.putItem('uploads', uploadItem(1, { file_id: 'invoices' }));
  expect((await restoreAll()).written).toHaveLength(2);
  const byRestore = {
    updated_at: expect.anything(),
    updated_by: { S: 'arn:aws:iam::000000000000:user/operator' },
  };
  expect(await itemOf('file', 'orders')).toEqual({ ...fileWith('orders', 2), ...byRestore });
  expect(await itemOf('file', 'invoices')).toEqual({ ...fileWith('invoices', 1), ...byRestore });
});

const later = (days: number) => new Date(now + days * 86_400_000).toISOString();
/** Marks of a replaced upload whose content is deleted some days later. */
const superseded = (hours: number, days: number) => ({
  superseded_at: { S: later(0) },
  due_shard: { S: `deletion-${hours % 8}` },
  due_at: { S: later(days) },
});

test('restored uploads get their places, with two batches of reads', async () => {
  const deletion = { deleted_at: { S: '2026-03-02T00:00:00.000Z' }, delete_after: { N: '1780000000' } };
  await aws.putItem('files', fileWith('orders', 4));
  await aws.putItem('files', { ...fileItem('deleted', 0), ...deletion });
  await aws.putItem('files', fileItem('empty', 0));
  const [alone, deleted] = [uploadItem(1, { file_id: 'lost' }), uploadItem(2, { file_id: 'deleted' })];
  const first = uploadItem(6, { file_id: 'empty' });
  await restored('upload', [alone, deleted, ...[3, 4, 5].map((hours) => uploadItem(hours)), first]);
  aws.calls.clear();
  await restore('--yes');
  expect(Object.fromEntries(aws.calls)).toMatchObject({ BatchGetItem: 2, PutItem: 6 });
  expect(
    await Promise.all([1, 2, 3, 4, 5, 6].map((hours) => itemOf('upload', uploadIdOf(hours)))),
  ).toMatchObject([
    { ...alone, ...superseded(1, 7) },
    { ...deleted, ...superseded(2, 0), ...deletion, superseded_at: deletion.deleted_at },
    // Newer than the content of its file.
    { state: { S: 'issued' }, due_shard: { S: '3' }, due_at: { S: later(0) } },
    expect.not.objectContaining({ due_at: expect.anything() }),
    { ...uploadItem(5), ...superseded(5, 0) },
    { state: { S: 'issued' }, due_at: { S: later(0) } },
  ]);
});

test.for([
  ['older content', 3],
  ['this content', 2],
] as const)('a file with %s that is restored after its uploads takes its content back', async ([, hours]) => {
  await aws.putItem('uploads', { ...uploadItem(2), ...superseded(2, 7) });
  await restored('file', [fileWith('orders', hours)]);
  await restore('--yes');
  expect((await itemOf('file', 'orders'))?.content).toEqual(fileWith('orders', 2).content);
  const { superseded_at, due_shard, due_at } = (await itemOf('upload', uploadIdOf(2))) ?? {};
  expect({ superseded_at, due_shard, due_at }).toEqual({});
});

test('the question lists the secrets of a client, which returns revoked', async () => {
  const created_at = { S: '2026-01-01T00:00:00.000Z' };
  const ends_at = { S: '2026-08-28T12:00:00.000Z' };
  const leaked = { secret_id: { S: 'leaked' }, sha256: { S: 'a'.repeat(64) }, created_at, ends_at };
  const secrets = { L: [{ M: leaked }] };
  await restored('client', [{ ...clientItem('a', 0), secrets }]);
  const plan = await restore();
  expect(plan.stdout).toContain(
    'missing a  active from every address, secret leaked of 2026-01-01T00:00:00.000Z',
  );
  expect(plan.stderr).toContain('the listed secrets work again');
  await restore('--yes');
  const revoked = { status: { S: 'revoked' }, revoked_at: { S: later(0) }, secrets };
  expect(await itemOf('client', 'a')).toMatchObject(revoked);
});

test('an item that was written meanwhile is kept', async () => {
  await restored('client', [clientItem('a', 0)]);
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
  expect(await restoreAll()).toMatchObject({ written: [] });
  expect(await clients()).toMatchObject([{ name: { S: 'second' } }]);
});

test('a table that is no copy is rejected', async () => {
  expect(await restore('--from-bucket')).toMatchObject(failure('Choose one source', 2));
  expect(await restoreFrom('nothing', '--yes')).toMatchObject(failure('nothing not found'));
  expect(await restoreFrom(aws.deployment.outputs.ClientsTableName, '--yes')).toMatchObject(
    failure('" is not a copy of a table of this service. Nothing was changed.'),
  );
  await createCopy(aws.deployment, 'other_id', 'copy', []);
  expect(await restore('--yes')).toMatchObject(failure('is not a copy'));
});
