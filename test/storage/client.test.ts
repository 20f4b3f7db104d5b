import { type Item, type ItemUpdate, updateDeleteAfter } from '../../storage/attributes.ts';
import {
  clientAuthenticationFromItem,
  clientFromItem,
  clientsTable,
  liveSecrets,
  putNewClient,
  readClientAuthenticationRequest,
  readClientRequest,
  type StoredClient,
  type StoredSecret,
  updateAddresses,
  updateClientName,
  updateScopes,
  updateSecrets,
  updateToActive,
  updateToDeletedClient,
  updateToRevoked,
} from '../../storage/client.ts';
import { useTable } from './support/tables.ts';
import { type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const { put, readItem, update } = await useTable(clientsTable);

const created = '2026-01-31T09:00:00.000Z';
const later = '2026-02-01T09:00:00.000Z';

const first: StoredSecret = {
  secret_id: 'secret_1',
  sha256: '0123456789abcdef'.repeat(4),
  created_at: created,
};
const ending: StoredSecret = { ...first, secret_id: 'secret_2', ends_at: later };

const client: StoredClient = {
  client_id: 'client_1',
  organisation_id: 'acme',
  name: 'Acme orders',
  scopes: ['volume:read', 'sync:create'],
  status: 'active',
  allow_from: ['203.0.113.0/24', '2001:db8::/48'],
  secrets: [first, ending],
  created_at: created,
};

/** The same client as in docs/stored-items.md. */
const item = {
  client_id: { S: 'client_1' },
  organisation_id: { S: 'acme' },
  name: { S: 'Acme orders' },
  scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
  status: { S: 'active' },
  allow_from: { L: [{ S: '203.0.113.0/24' }, { S: '2001:db8::/48' }] },
  secrets: {
    L: [
      { M: { secret_id: { S: 'secret_1' }, sha256: { S: first.sha256 }, created_at: { S: created } } },
      {
        M: {
          secret_id: { S: 'secret_2' },
          sha256: { S: first.sha256 },
          created_at: { S: created },
          ends_at: { S: later },
        },
      },
    ],
  },
  created_at: { S: created },
} satisfies Item;

const withRanges = (ranges: readonly string[]): Item => ({
  ...item,
  allow_from: { L: ranges.map((S) => ({ S })) },
});

/** The command line stores none of them. */
const wrongRanges = [[], [''], ['0.0.0.0/0'], ['203.0.113.7'], ['2001:DB8::/48']];

let clientCount = 0;

/** Stores the client under a new id. */
async function stored(changed: Partial<StoredClient> = {}): Promise<StoredClient> {
  const one = { ...client, client_id: `client_of_test_${++clientCount}`, ...changed };
  await put(putNewClient(one));
  return one;
}

async function read(clientId: string): Promise<StoredClient | undefined> {
  const found = await readItem(readClientRequest(clientId));
  return found === undefined ? undefined : clientFromItem(found);
}

// A revocation therefore takes effect immediately.
test('a client is read consistently', () => {
  expect(readClientRequest('client_1')).toEqual({
    Key: { client_id: { S: 'client_1' } },
    ConsistentRead: true,
  });
  expect(readClientAuthenticationRequest('client_1').ConsistentRead).toBe(true);
});

describe('a client', () => {
  test('is stored as documented', async () => {
    expect(await put(putNewClient(client))).toBe(true);
    expect(await readItem(readClientRequest('client_1'))).toEqual({
      ...item,
      list_shard: { S: '0' },
    });
    expect(await read('client_1')).toEqual(client);
  });

  test('is not stored over another one', async () => {
    const { client_id } = await stored();
    expect(await put(putNewClient({ ...client, client_id, name: 'Other' }))).toBe(false);
    expect((await read(client_id))?.name).toBe('Acme orders');
  });

  const withSecret = (secret: Item): Item => ({
    ...item,
    secrets: { L: [{ M: { ...item.secrets.L[0]?.M, ...secret } }] },
  });
  const wrongItems: readonly WrongItem[] = [
    ...wrongRanges.map(
      (ranges): WrongItem => [`with the ranges ${ranges}`, withRanges(ranges), 'allow_from'],
    ),
    ...withoutEach(
      item,
      Object.keys(item).filter((name) => name !== 'allow_from'),
    ),
    ...withEachOfAnotherType({ ...item, revoked_at: { S: later } }),
    ['of an unknown status', { ...item, status: { S: 'paused' } }, 'status'],
    ['with a scope that is not text', { ...item, scopes: { L: [{ N: '1' }] } }, 'scopes.L.0.S'],
    ['with a secret that is no map', { ...item, secrets: { L: [{ S: 'x' }] } }, 'secrets.L.0.M'],
    [
      'with an empty secret',
      { ...item, secrets: { L: [{ M: {} }] } },
      'secrets.L.0.M.secret_id, secrets.L.0.M.sha256, secrets.L.0.M.created_at',
    ],
    ['with a secret whose end is no time', withSecret({ ends_at: { S: 'soon' } }), 'secrets.L.0.M.ends_at'],
    ...['a'.repeat(63), 'a'.repeat(65), `x${first.sha256}`, first.sha256.toUpperCase()].map(
      (sha256): WrongItem => [
        `with the digest ${sha256}`,
        withSecret({ sha256: { S: sha256 } }),
        'secrets.L.0.M.sha256',
      ],
    ),
  ];

  test.for(wrongItems)('is rejected %s', ([, wrong, place]) => {
    expect(() => clientFromItem(wrong)).toThrow(`The stored client is not as expected at: ${place}`);
  });
});

describe('the part of a client for the token endpoint', () => {
  test('contains only the needed attributes', async () => {
    const { client_id } = await stored();
    const { organisation_id, status, scopes, secrets, allow_from } = item;
    const found = await readItem(readClientAuthenticationRequest(client_id));
    expect(found).toEqual({ organisation_id, status, scopes, secrets, allow_from });
    expect(clientAuthenticationFromItem(found ?? {})).toEqual({
      organisation_id: 'acme',
      status: 'active',
      scopes: ['volume:read', 'sync:create'],
      allow_from: client.allow_from,
      secrets: [
        { secret_id: first.secret_id, sha256: first.sha256 },
        { secret_id: 'secret_2', sha256: first.sha256, ends_at: later },
      ],
    });
  });

  test.for(wrongRanges)('is rejected with the ranges %j', (ranges) => {
    expect(() => clientAuthenticationFromItem(withRanges(ranges))).toThrow('expected at: allow_from');
  });

  test('is rejected with an empty secret', () => {
    const wrong = { ...item, secrets: { L: [{ M: {} }] } };
    expect(() => clientAuthenticationFromItem(wrong)).toThrow('secrets.L.0.M.sha256');
  });
});

describe('revoking a client', () => {
  test('happens once: the time of the first stays', async () => {
    const { client_id } = await stored();
    expect(await update(updateToRevoked(client_id, later))).toBe(true);
    expect(await update(updateToRevoked(client_id, '2027-01-01T00:00:00.000Z'))).toBe(false);
    expect(await read(client_id)).toEqual({ ...client, client_id, status: 'revoked', revoked_at: later });
  });

  test('can be undone once, without a trace in the item', async () => {
    const before = await stored({ status: 'revoked', revoked_at: later });
    expect(await update(updateToActive(before.client_id))).toBe(true);
    expect(await update(updateToActive(before.client_id))).toBe(false);
    expect(await read(before.client_id)).toEqual({ ...client, client_id: before.client_id });
  });
});

describe('changing a client', () => {
  test('replaces its scopes and its name, and nothing else', async () => {
    const { client_id } = await stored();
    expect(await update(updateScopes(client_id, ['sync:create']))).toBe(true);
    expect(await update(updateClientName(client_id, 'New'))).toBe(true);
    expect(await read(client_id)).toEqual({ ...client, client_id, scopes: ['sync:create'], name: 'New' });
  });

  test('replaces its ranges of addresses, or removes them', async () => {
    const { client_id } = await stored();
    const ranges = ['192.0.2.1/32'];
    expect(await update(updateAddresses(client_id, ranges))).toBe(true);
    expect(await read(client_id)).toEqual({ ...client, client_id, allow_from: ranges });
    expect(await update(updateAddresses(client_id, undefined))).toBe(true);
    expect(await read(client_id)).not.toHaveProperty('allow_from');
  });

  const changes: Readonly<Record<string, (clientId: string) => ItemUpdate>> = {
    revoking: (clientId) => updateToRevoked(clientId, later),
    reactivating: updateToActive,
    'new scopes for': (clientId) => updateScopes(clientId, ['sync:create']),
    'new addresses for': (clientId) => updateAddresses(clientId, ['192.0.2.1/32']),
    'every address for': (clientId) => updateAddresses(clientId, undefined),
    'a new name for': (clientId) => updateClientName(clientId, 'New'),
    'a new secret for': (client_id) => updateSecrets({ ...client, client_id, secrets: [] }, [first]),
  };

  test.for(Object.entries(changes))('rejects %s a deleted client', async ([, change]) => {
    const { client_id } = await stored();
    await update(updateToDeletedClient(client_id, later));
    const deleted = await read(client_id);

    expect(await update(change(client_id))).toBe(false);
    expect(await read(client_id)).toEqual(deleted);
  });

  const changesAndDeletion = {
    ...changes,
    deleting: (clientId: string) => updateToDeletedClient(clientId, later),
    'an end of': (clientId: string) => updateDeleteAfter({ client_id: { S: clientId } }, later),
  };

  test.for(Object.entries(changesAndDeletion))(
    'rejects %s a client that does not exist',
    async ([, change]) => {
      expect(await update(change('none'))).toBe(false);
      expect(await readItem(readClientRequest('none'))).toBeUndefined();
    },
  );
});

describe('deleting a client', () => {
  const remove = (clientId: string, at = later) => update(updateToDeletedClient(clientId, at));

  test('revokes it and removes its secrets', async () => {
    const { client_id } = await stored();

    expect(await remove(client_id)).toBe(true);

    const revoked = { status: 'revoked', secrets: [] };
    const times = { revoked_at: later, deleted_at: later };
    expect(await read(client_id)).toEqual({ ...client, client_id, ...revoked, ...times });
    const found = await readItem(readClientAuthenticationRequest(client_id));
    expect(clientAuthenticationFromItem(found ?? {})).toMatchObject(revoked);
  });

  test('again keeps the first times', async () => {
    const { client_id } = await stored();
    await update(updateToRevoked(client_id, created));

    await remove(client_id);
    expect(await remove(client_id, '2027-01-01T00:00:00.000Z')).toBe(true);

    expect(await read(client_id)).toMatchObject({ revoked_at: created, deleted_at: later });
  });

  test('sets its end, which only a deleted client has', async () => {
    const { client_id } = await stored();
    const end = updateDeleteAfter({ client_id: { S: client_id } }, later);

    expect(await update(end)).toBe(false);
    await remove(client_id);
    expect(await update(end)).toBe(true);

    const found = await readItem(readClientRequest(client_id));
    expect(found?.delete_after).toEqual({ N: '1769936400' });
    expect((await read(client_id))?.delete_after).toBe(later);
  });
});

describe('new secrets of a client', () => {
  const third: StoredSecret = { ...first, secret_id: 'secret_3' };
  type Case = readonly [string, StoredSecret[], StoredSecret[]];

  test.for<Case>([
    ['the first', [], [first]],
    ['a second', [first], [first, third]],
    ['a third for the first', [first, ending], [ending, third]],
    ['none', [first], []],
  ])('replace those that were read: %s', async ([, before, after]) => {
    const known = await stored({ secrets: before });
    expect(await update(updateSecrets(known, after))).toBe(true);
    expect((await read(known.client_id))?.secrets).toEqual(after);
  });

  test.for<Case>([
    ['one was added', [first], [first, third]],
    ['one was removed', [first, ending], [first]],
    ['the first is another one', [first, ending], [third, ending]],
    ['the second is another one', [first, ending], [first, { ...ending, secret_id: 'secret_3' }]],
    ['the first got an end', [first, ending], [{ ...first, ends_at: later }, ending]],
    ['the end was taken away', [first, ending], [first, { ...first, secret_id: 'secret_2' }]],
    ['the end is another', [first, ending], [first, { ...ending, ends_at: '2026-03-01T00:00:00.000Z' }]],
  ])('are rejected when meanwhile %s', async ([, known, present]) => {
    const { client_id } = await stored({ secrets: present });
    const change = updateSecrets({ ...client, client_id, secrets: known }, [third]);
    expect(await update(change)).toBe(false);
    expect((await read(client_id))?.secrets).toEqual(present);
  });
});

test('a secret works until its end, and from then on no more', () => {
  const ids = (now: string) => liveSecrets(client, now).map(({ secret_id }) => secret_id);
  expect(ids('2026-02-01T08:59:59.999Z')).toEqual(['secret_1', 'secret_2']);
  expect(ids(later)).toEqual(['secret_1']);
});
