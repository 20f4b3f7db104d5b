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
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { type FakeAws, startFakeAws } from '../../support/fake-aws.ts';
import { admin } from '../../support/run-admin.ts';

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

describe('restore', () => {
  test('writes what is missing and keeps the rest', async () => {
    await restored('clients', [client('gone'), client('same'), client('changed')]);
    await aws.putItem('clients', client('same'));
    await aws.putItem('clients', client('changed', { name: { S: 'Hourly' } }));
    await aws.putItem('clients', client('later'));
    const done = await restore('--yes', '--json');
    expect(done.code).toBe(0);
    expect(done.json()).toMatchObject({
      from_table: copy,
      into: 'clients',
      dry_run: false,
      new: 1,
      changed: 1,
      same: 1,
      damaged: 0,
      written: 1,
      only_in_service: 1,
    });
    expect(await itemOf('clients', 'gone')).toEqual(client('gone'));
    expect(await itemOf('clients', 'changed')).toMatchObject({ name: { S: 'Hourly' } });
    expect(await itemOf('clients', 'later')).toBeDefined();
  });

  test('--dry-run names each difference, no value and no digest, and changes nothing', async () => {
    await restored('clients', [client('gone'), client('changed')]);
    await aws.putItem('clients', client('changed', { secrets: { L: [] }, name: { S: 'Hourly' } }));
    const before = await itemsOf('clients');
    const plan = await restore('--dry-run', '--overwrite', '--json');
    const { data } = plan.json() as { data: readonly { id: string }[] };
    expect([...data].sort((a, b) => (a.id < b.id ? -1 : 1))).toEqual([
      { id: 'changed', kind: 'changed', attributes: ['name', 'secrets'], written: true },
      expect.objectContaining({ id: 'gone', kind: 'new', written: true }),
    ]);
    const text = await restore('--dry-run');
    expect(text.stdout).toContain('keep changed changed: name, secrets\n');
    expect(text.stdout + text.stderr + plan.stdout).not.toContain(digest);
    expect(text.stderr).toContain('Nothing was changed.');
    expect(await itemsOf('clients')).toEqual(before);
  });

  test('replaces what the service cannot read, without --overwrite', async () => {
    await restored('clients', [client('damaged')]);
    await aws.putItem('clients', { client_id: { S: 'damaged' }, scopes: { S: 'volume:read' } });
    expect((await restore('--yes', '--json')).json()).toMatchObject({ damaged: 1, written: 1 });
    expect(await itemOf('clients', 'damaged')).toEqual(client('damaged'));
  });

  test('leaves out what the service could not read, and fails', async () => {
    await restored('clients', [client('good'), { client_id: { S: 'bad' } }]);
    const done = await restore('--yes');
    expect(done.code).toBe(1);
    expect(done.stderr).toContain(`The service cannot read 1 item of "${copy}", so the command left it out.`);
    expect(await itemOf('clients', 'bad')).toBeUndefined();
    expect(await itemOf('clients', 'good')).toBeDefined();
  });

  test('--overwrite replaces what differs, in lists and maps too', async () => {
    await restored('clients', [client('a')]);
    const revoked = { status: { S: 'revoked' }, revoked_at: { S: '2026-02-01T00:00:00.000Z' } };
    await aws.putItem('clients', client('a', { ...revoked, scopes: { L: [{ S: 'volume:read' }] } }));
    expect((await restore('--yes', '--overwrite', '--json')).json()).toMatchObject({
      changed: 1,
      written: 1,
    });
    expect(await itemOf('clients', 'a')).toEqual(client('a'));
  });

  test('asks first, with the numbers', async () => {
    await restored('clients', [client('gone')]);
    const asked = await restore();
    expect(asked.code).toBe(2);
    expect(asked.stderr).toContain(
      'This writes 1 item to the table of clients: 1 new, 0 damaged, 0 changed, 0 same, 0 only in the service.',
    );
    expect(await itemOf('clients', 'gone')).toBeUndefined();
  });

  test('reaches the same end after a crash at each write', async () => {
    const items = Array.from({ length: 5 }, (_, index) => client(`c${index}`));
    await restored('clients', items);
    for (let writes = 0; ; writes += 1) {
      for (const { client_id } of items) {
        await remove('clients', client_id?.S ?? '');
      }
      await aws.putItem('clients', client('c0', { name: { S: 'Hourly' } }));
      aws.writesLeft = writes;
      const first = await restore('--yes', '--overwrite');
      aws.writesLeft = Number.POSITIVE_INFINITY;
      if (first.code === 0) {
        expect(writes).toBe(5);
        break;
      }
      expect((await restore('--yes', '--overwrite')).code).toBe(0);
      for (const item of items) {
        expect(await itemOf('clients', item.client_id?.S ?? '')).toEqual(item);
      }
    }
  });

  test('reads a table of many pages', async () => {
    const items = Array.from({ length: 40 }, (_, index) =>
      client(`c${index}`, { name: { S: 'n'.repeat(60_000) } }),
    );
    await restored('clients', items);
    expect((await restore('--yes', '--json')).json()).toMatchObject({ new: 40, written: 40 });
    expect((await restore('--yes', '--json')).json()).toMatchObject({ new: 0, same: 40, written: 0 });
  }, 30_000);
});

describe('restore of files', () => {
  test('points a lost file at its newest content, not at that of the point in time', async () => {
    await restored('files', [file('orders', { content: content(1) })]);
    await aws.putItem('uploads', {
      ...upload(1, 'orders'),
      superseded_at: { S: '2026-01-03T00:00:00.000Z' },
    });
    await aws.putItem('uploads', upload(2, 'orders'));
    expect((await restore('--yes', '--json')).json()).toMatchObject({ into: 'files', new: 1, written: 1 });
    expect(await itemOf('files', 'orders')).toEqual(
      file('orders', { content: content(2), superseded: { L: [{ S: uploadId(1) }] } }),
    );
    expect((await restore('--yes', '--json')).json()).toMatchObject({ same: 1, written: 0 });
  });

  test('never takes newer content from a file, with --overwrite neither', async () => {
    await restored('files', [file('orders', { content: content(1) })]);
    await aws.putItem('files', file('orders', { content: content(2), name: { S: 'new name' } }));
    expect((await restore('--yes', '--overwrite', '--json')).json()).toMatchObject({ written: 1 });
    expect(await itemOf('files', 'orders')).toEqual(file('orders', { content: content(2) }));
  });

  test('brings back content of a file that lost it', async () => {
    await restored('files', [file('orders', { content: content(1) })]);
    await aws.putItem('files', file('orders', { content: { S: 'garbage' } }));
    expect((await restore('--yes', '--json')).json()).toMatchObject({ damaged: 1, written: 1 });
    expect(await itemOf('files', 'orders')).toEqual(file('orders', { content: content(1) }));
  });
});

describe('restore of what has ended since', () => {
  test('keeps a deleted client, with --overwrite too: its secrets do not come back', async () => {
    await restored('clients', [client('a')]);
    const deleted = client('a', {
      status: { S: 'revoked' },
      secrets: { L: [] },
      deleted_at: { S: '2026-02-01T00:00:00.000Z' },
    });
    await aws.putItem('clients', deleted);
    expect((await restore('--yes', '--overwrite', '--json')).json()).toMatchObject({ newer: 1, written: 0 });
    expect(await itemOf('clients', 'a')).toEqual(deleted);
  });

  test('keeps an upload that was completed', async () => {
    const {
      size: _,
      etag: __,
      version_id: ___,
      completed_at: ____,
      checksum_crc64nvme: _____,
      ...issued
    } = upload(1, 'orders');
    await restored('uploads', [{ ...issued, state: { S: 'issued' } }]);
    await aws.putItem('uploads', upload(1, 'orders'));
    expect((await restore('--yes', '--overwrite', '--json')).json()).toMatchObject({ newer: 1, written: 0 });
    expect(await itemOf('uploads', uploadId(1))).toEqual(upload(1, 'orders'));
  });
});

describe('restore of uploads', () => {
  test('writes what is missing', async () => {
    await restored('uploads', [upload(1, 'orders'), upload(2, 'orders')]);
    await aws.putItem('uploads', upload(2, 'orders'));
    expect((await restore('--yes', '--json')).json()).toMatchObject({ into: 'uploads', new: 1, same: 1 });
    expect(await itemOf('uploads', uploadId(1))).toEqual(upload(1, 'orders'));
  });
});

describe('restore refuses', () => {
  test.each([
    ['a table that does not exist', 'nothing', [], 'There is no table "nothing"', 1],
    ['the table of the service itself', 'clients', [], 'is the table of the service itself', 2],
    ['another kind than the table holds', 'clients', ['--into', 'files'], 'holds clients, not files', 1],
  ])('%s', async (_, name, flags, reason, code) => {
    const refused = await admin(aws.deployment, [
      '--local',
      'restore',
      '--from-table',
      name,
      ...flags,
      '--yes',
    ]);
    expect(refused.stderr).toContain(reason);
    expect(refused.code).toBe(code);
  });

  test('a table of something else', async () => {
    await restored('clients', [], 'other_id');
    expect((await restore('--yes')).stderr).toContain('it is no copy of a table of this service');
  });

  test('to overwrite what changed since it was compared', async () => {
    await restored('clients', [client('a')]);
    await aws.putItem('clients', client('a', { name: { S: 'first' } }));
    const read = aws.deployment.awsConfig;
    const racing = { ...aws.deployment, awsConfig: { ...read } };
    const { dynamoDBClient } = await import('../../../cli/deployment/aws-clients.ts');
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
    const done = await admin(racing, ['--local', 'restore', '--from-table', copy, '--overwrite', '--yes']);
    expect(done.code).toBe(1);
    expect(done.stderr).toContain('1 item changed while the command ran, and is kept.');
    expect(await itemOf('clients', 'a')).toMatchObject({ name: { S: 'second' } });
  });
});
