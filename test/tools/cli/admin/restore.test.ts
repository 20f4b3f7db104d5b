import {
  type AttributeValue,
  CreateTableCommand,
  DeleteItemCommand,
  DescribeTableCommand,
  DynamoDBClient,
  GetItemCommand,
  PutItemCommand,
  ScanCommand,
} from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { dynamoDBClient } from '../../../../tools/operator/deployment/aws-clients.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { admin } from '../../../support/run-admin.ts';

type Item = Record<string, AttributeValue>;
type TableName = 'clients' | 'files' | 'uploads';

const keys = { clients: 'client_id', files: 'file_id', uploads: 'upload_id' } as const;
/** Another for each test. */
let copy: string;
let copies = 0;

let aws: FakeAws;
let database: DynamoDBClient;

beforeAll(async () => {
  aws = await startFakeAws();
  const { region, endpoint, credentials } = aws.deployment.awsConfig as {
    region: string;
    endpoint: string;
    credentials: { accessKeyId: string; secretAccessKey: string };
  };
  database = new DynamoDBClient({ region, endpoint, credentials });
});
afterAll(async () => {
  database.destroy();
  await aws.stop();
});
beforeEach(async () => {
  aws.writesLeft = Number.POSITIVE_INFINITY;
  copies += 1;
  copy = `restored-${copies}`;
  for (const table of ['clients', 'files', 'uploads'] as const) {
    for (const item of await itemsOf(table)) {
      await remove(table, item[keys[table]]?.S ?? '');
    }
  }
});

/** A table as RestoreTableToPointInTime makes it: the same keys, another name. */
async function restored(table: TableName, items: readonly Item[], key: string = keys[table]): Promise<void> {
  await database.send(
    new CreateTableCommand({
      TableName: copy,
      BillingMode: 'PAY_PER_REQUEST',
      AttributeDefinitions: [{ AttributeName: key, AttributeType: 'S' }],
      KeySchema: [{ AttributeName: key, KeyType: 'HASH' }],
    }),
  );
  await vi.waitFor(async () => {
    const { Table } = await database.send(new DescribeTableCommand({ TableName: copy }));
    expect(Table?.TableStatus).toBe('ACTIVE');
  });
  for (const Item of items) {
    await database.send(new PutItemCommand({ TableName: copy, Item }));
  }
}

async function itemsOf(table: TableName): Promise<readonly Item[]> {
  return (await database.send(new ScanCommand({ TableName: table }))).Items ?? [];
}

async function itemOf(table: TableName, id: string): Promise<Item | undefined> {
  const Key = { [keys[table]]: { S: id } };
  return (await database.send(new GetItemCommand({ TableName: table, Key, ConsistentRead: true }))).Item;
}

const remove = (table: TableName, id: string) =>
  database.send(new DeleteItemCommand({ TableName: table, Key: { [keys[table]]: { S: id } } }));

const restore = (...flags: readonly string[]) =>
  admin(aws.deployment, ['--local', 'restore', '--from-table', copy, ...flags]);

const digest = 'ab'.repeat(32);

function client(id: string, changes: Item = {}): Item {
  return {
    client_id: { S: id },
    organisation_id: { S: 'acme' },
    name: { S: 'Nightly' },
    scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
    status: { S: 'active' },
    secrets: {
      L: [
        {
          M: { secret_id: { S: 's1' }, sha256: { S: digest }, created_at: { S: '2026-01-01T00:00:00.000Z' } },
        },
      ],
    },
    created_at: { S: '2026-01-01T00:00:00.000Z' },
    ...changes,
  };
}

const uploadId = (number: number) => `019c0000-0000-7000-8000-${String(number).padStart(12, '0')}`;

function content(number: number): AttributeValue {
  const id = uploadId(number);
  return {
    M: {
      upload_id: { S: id },
      key: { S: `uploads/${id}` },
      version_id: { S: `v${number}` },
      etag: { S: `e${number}` },
      checksum_crc64nvme: { S: `c${number}` },
      completed_at: { S: '2026-01-02T00:00:00.000Z' },
      size: { N: String(number) },
    },
  };
}

function file(id: string, changes: Item = {}): Item {
  return {
    file_id: { S: id },
    organisation_id: { S: 'acme' },
    name: { S: 'orders' },
    sync_enabled: { BOOL: true },
    created_at: { S: '2026-01-01T00:00:00.000Z' },
    updated_at: { S: '2026-01-01T00:00:00.000Z' },
    ...changes,
  };
}

function upload(number: number, of: string): Item {
  const { M = {} } = content(number);
  return {
    ...M,
    file_id: { S: of },
    organisation_id: { S: 'acme' },
    client_id: { S: 'client_1' },
    issued_at: { S: '2026-01-02T00:00:00.000Z' },
    expires_at: { S: '2026-01-02T01:00:00.000Z' },
    state: { S: 'completed' },
  };
}

test('restore writes what is missing or damaged, keeps the rest, and can be repeated', async () => {
  const named = (id: string) => client(id, { name: { S: 'n'.repeat(60_000) } });
  // More than one page of a scan.
  const gone = Array.from({ length: 20 }, (_, index) => `gone-${index}`);
  await restored('clients', [...[...gone, 'damaged', 'changed'].map(named), { client_id: { S: 'bad' } }]);
  const damaged = { client_id: { S: 'damaged' }, scopes: { S: 'volume:read' }, secrets: { L: [{ M: {} }] } };
  await aws.putItem('clients', damaged);
  const deleted = { deleted_at: { S: '2026-02-01T00:00:00.000Z' }, secrets: { L: [] } };
  await aws.putItem('clients', client('changed', deleted));
  await aws.putItem('clients', client('later'));

  const before = await itemsOf('clients');
  const plan = await restore('--dry-run');
  expect(plan.stdout).toContain('damaged damaged\n');
  expect(plan.stdout.trimEnd().split('\n')).toHaveLength(21);
  expect(plan.stderr).toContain('20 missing, 1 damaged, 1 kept. Nothing was changed.');
  expect(plan.stdout + plan.stderr).not.toContain(digest);
  expect(await itemsOf('clients')).toEqual(before);
  expect(await restore()).toMatchObject({ code: 2, stderr: expect.stringContaining('add --yes') });

  aws.writesLeft = 7;
  expect((await restore('--yes')).code).toBe(1);
  aws.writesLeft = Number.POSITIVE_INFINITY;
  const done = await restore('--yes', '--json');
  const { missing, damaged: repaired, unreadable } = done.json() as Record<string, number>;
  expect([(missing ?? 0) + (repaired ?? 0), unreadable]).toEqual([14, 1]);
  expect(done).toMatchObject({ code: 1, stderr: expect.stringContaining('The service cannot read 1 item') });
  for (const id of [...gone, 'damaged']) {
    expect(await itemOf('clients', id)).toEqual(named(id));
  }
  expect(await itemOf('clients', 'changed')).toEqual(client('changed', deleted));
  expect(await itemOf('clients', 'later')).toBeDefined();
  expect((await restore('--yes', '--json')).json()).toMatchObject({ missing: 0, damaged: 0, kept: 22 });
}, 30_000);

test('a lost file points at its newest content, not at that of the point in time', async () => {
  await restored('files', [
    file('orders', { content: content(1) }),
    file('invoices', { content: content(3) }),
  ]);
  await aws.putItem('uploads', { ...upload(1, 'orders'), superseded_at: { S: '2026-01-03T00:00:00.000Z' } });
  await aws.putItem('uploads', upload(2, 'orders'));
  await aws.putItem('uploads', upload(3, 'invoices'));
  expect((await restore('--yes', '--json')).json()).toMatchObject({ missing: 2 });
  expect(await itemOf('files', 'orders')).toEqual(
    file('orders', { content: content(2), superseded: { L: [{ S: uploadId(1) }] } }),
  );
  expect(await itemOf('files', 'invoices')).toEqual(file('invoices', { content: content(3) }));
});

test('an upload that was completed since is kept', async () => {
  const { size: _, etag: __, version_id: ___, completed_at: ____, ...issued } = upload(1, 'orders');
  await restored('uploads', [{ ...issued, state: { S: 'issued' } }, upload(2, 'orders')]);
  await aws.putItem('uploads', upload(1, 'orders'));
  expect((await restore('--yes', '--json')).json()).toMatchObject({ missing: 1, kept: 1 });
  expect(await itemOf('uploads', uploadId(1))).toEqual(upload(1, 'orders'));
});

test.each(['missing', 'damaged'])('what was %s and is written meanwhile is kept', async (kind) => {
  await restored('clients', [client('a')]);
  if (kind === 'damaged') {
    await aws.putItem('clients', { client_id: { S: 'a' }, scopes: { S: 'volume:read' } });
  }
  const racing = { ...aws.deployment, awsConfig: { ...aws.deployment.awsConfig } };
  const sent = await dynamoDBClient(racing);
  sent.middlewareStack.add(
    (next, context) => async (input) => {
      const output = await next(input);
      if (context.commandName === 'GetItemCommand') {
        await aws.putItem('clients', client('a', { name: { S: 'second' } }));
      }
      return output;
    },
    { step: 'initialize' },
  );
  const done = await admin(racing, ['--local', 'restore', '--from-table', copy, '--yes', '--json']);
  expect(done.json()).toMatchObject({ missing: 0, damaged: 0, kept: 1 });
  expect(await itemOf('clients', 'a')).toMatchObject({ name: { S: 'second' } });
});

test('what is no copy of a table is refused', async () => {
  const from = (name: string) => admin(aws.deployment, ['--local', 'restore', '--from-table', name, '--yes']);
  expect(await from('nothing')).toMatchObject({
    code: 1,
    stderr: expect.stringContaining('There is no table'),
  });
  expect(await from('clients')).toMatchObject({ code: 1, stderr: expect.stringContaining('is no copy') });
  await restored('clients', [], 'other_id');
  expect(await from(copy)).toMatchObject({ code: 1, stderr: expect.stringContaining('is no copy') });
});
