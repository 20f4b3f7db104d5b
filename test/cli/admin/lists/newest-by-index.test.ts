import { BatchWriteItemCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Deployment } from '../../../../cli/deployment/deployment.ts';
import { listClients } from '../../../../cli/operations/clients.ts';
import { listFiles } from '../../../../cli/operations/files.ts';
import { allOf, type Pages } from '../../../../cli/operations/pages.ts';
import { listUploads } from '../../../../cli/operations/uploads.ts';
import { type FakeAws, startFakeAws } from '../../../support/fake-aws.ts';
import { clientItem, fileItem, hoursEarlier, uploadIdOf, uploadItem } from './items.ts';

/** More than one page of a small table, and more than what is looked for in an index. */
const count = 1300;
const organisations = ['acme', 'umbrella', 'initech'];
const organisationOf = (hours: number) => organisations[hours % 7 === 0 ? 1 : hours % 3] ?? 'acme';

let aws: FakeAws;

beforeAll(async () => {
  aws = await startFakeAws();
  const hours = Array.from({ length: count }, (_, index) => index);
  const organisation_id = (hour: number) => organisationOf(hour);
  await write(
    'clients',
    hours.map((hour) => clientItem(`client_${hour}`, hour, { organisation_id: organisation_id(hour) })),
  );
  await write(
    'files',
    hours.map((hour) => fileItem(`file-${hour}`, hour, { organisation_id: organisation_id(hour) })),
  );
  await write(
    'uploads',
    hours.map((hour) =>
      uploadItem(hour, { organisation_id: organisation_id(hour), client_id: `client_${hour % 2}` }),
    ),
  );
}, 60_000);
afterAll(() => aws.stop());
beforeEach(() => aws.calls.clear());

type Item = Parameters<FakeAws['putItem']>[1];

async function write(table: string, items: readonly Item[]): Promise<void> {
  const client = new DynamoDBClient(aws.deployment.awsConfig);
  for (let start = 0; start < items.length; start += 25) {
    const requests = items.slice(start, start + 25).map((Item) => ({ PutRequest: { Item } }));
    await client.send(new BatchWriteItemCommand({ RequestItems: { [table]: requests } }));
  }
  client.destroy();
}

/** The hours of everything that is listed, of one kind. */
const lists: Readonly<Record<string, (selection: object, options?: object) => Promise<readonly number[]>>> = {
  clients: async (selection, options) =>
    (await allOf(listClients(aws.deployment, selection, options))).map(({ client_id }) =>
      Number(client_id.slice(7)),
    ),
  files: async (selection, options) =>
    (await allOf(listFiles(aws.deployment, selection, options))).map(({ file_id }) =>
      Number(file_id.slice(5)),
    ),
  uploads: async (selection, options) =>
    (await allOf(listUploads(aws.deployment, selection, options))).map(({ issued_at }) => hourOf(issued_at)),
};

const hourOf = (time: string) => (hoursEarlier(0).getTime() - Date.parse(time)) / 3_600_000;

const all = Array.from({ length: count }, (_, index) => index);

describe.each(Object.entries(lists))('a list of many %s', (_, list) => {
  test('of all organisations is whole, and newest first', async () => {
    expect(await list({})).toEqual(all);
  });

  test('has its newest without a scan of the table', async () => {
    expect(await list({}, { limit: 150 })).toEqual(all.slice(0, 150));
    // One scan says that the table is not small; the others find the organisations, in four parts of the index.
    expect(aws.calls.get('Scan')).toBeLessThanOrEqual(1 + organisations.length + 4);
  });

  test('goes on after what the index gave', async () => {
    expect(await list({}, { limit: 1200 })).toEqual(all.slice(0, 1200));
  });

  test('of one organisation leaves out the others', async () => {
    const own = all.filter((hours) => organisationOf(hours) === 'umbrella');
    expect(await list({ organisationId: 'umbrella' })).toEqual(own);
  });

  test('of a time is whole, from its first moment to before its last', async () => {
    const range = { since: hoursEarlier(700).toISOString(), until: hoursEarlier(400).toISOString() };
    expect(await list(range)).toEqual(all.slice(401, 701));
    const [own] = [all.slice(401, 701).filter((hours) => organisationOf(hours) === 'initech')];
    expect(await list({ ...range, organisationId: 'initech' })).toEqual(own);
  });
});

test('an attribute that no index has is looked for in the newest, and then in the whole table', async () => {
  const odd = all.filter((hours) => hours % 2 === 1);
  expect(await lists.uploads?.({ clientId: 'client_1' })).toEqual(odd);
  expect(await lists.uploads?.({ clientId: 'client_1' }, { limit: 600 })).toEqual(odd.slice(0, 600));
  expect(await lists.uploads?.({ state: 'cancelled' })).toEqual([]);
  expect(await lists.clients?.({ status: 'revoked' })).toEqual([]);
});

test('the first page comes before the table is read to its end', async () => {
  const [first] = await firstPage(listUploads(aws.deployment, {}));
  expect(first?.upload_id).toBe(uploadIdOf(0));
  expect(aws.calls.get('Scan')).toBeLessThanOrEqual(1 + organisations.length + 4);
});

async function firstPage<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  for await (const page of pages) {
    return page;
  }
  return [];
}

test('entries of the same moment are in the order of their ids, wherever a page of the index ends', async () => {
  const together = Array.from(
    { length: 40 },
    (_, index) => `client_same-${String((index * 7) % 40).padStart(2, '0')}`,
  );
  await write(
    'clients',
    together.map((id) => clientItem(id, -1, { organisation_id: 'acme' })),
  );
  const newest = await allOf(listClients(aws.deployment, {}, { limit: 30 }));
  expect(newest.map(({ client_id }) => client_id)).toEqual(together.toSorted().slice(0, 30));
});

test('a table without the index is scanned', async () => {
  const before = await startFakeAws({ indexes: false });
  const ids = Array.from({ length: 600 }, (_, hours) => `client_${hours}`);
  for (const [hours, id] of ids.entries()) {
    await before.putItem('clients', clientItem(id, hours));
  }
  const listed = async (deployment: Deployment, selection: object) =>
    (await allOf(listClients(deployment, selection, { limit: 20 }))).map(({ client_id }) => client_id);
  expect(await listed(before.deployment, {})).toEqual(ids.slice(0, 20));
  expect(await listed(before.deployment, { organisationId: 'acme' })).toEqual(ids.slice(0, 20));
  await before.stop();
}, 60_000);
