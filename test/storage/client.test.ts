import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { Item } from '../../storage/attributes.ts';
import {
  clientAuthenticationFromItem,
  clientFromItem,
  liveSecrets,
  putNewClient,
  readClient,
  readClientAuthentication,
  type StoredClient,
  type StoredSecret,
  updateClientName,
  updateScopes,
  updateSecrets,
  updateToActive,
  updateToRevoked,
} from '../../storage/client.ts';
import { startTables, type Tables } from './support/tables.ts';
import { type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

let tables: Tables;
beforeAll(async () => {
  tables = await startTables();
});
afterAll(() => tables.stop());

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
  secrets: [first, ending],
  created_at: created,
};

/** The same client as docs/storage.md says. */
const item = {
  client_id: { S: 'client_1' },
  organisation_id: { S: 'acme' },
  name: { S: 'Acme orders' },
  scopes: { L: [{ S: 'volume:read' }, { S: 'sync:create' }] },
  status: { S: 'active' },
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

let clientCount = 0;

/** Stores the client under an id of its own. */
async function stored(changed: Partial<StoredClient> = {}): Promise<StoredClient> {
  const one = { ...client, client_id: `client_of_test_${++clientCount}`, ...changed };
  await tables.clients.put(putNewClient(one));
  return one;
}

async function read(clientId: string): Promise<StoredClient | undefined> {
  const found = await tables.clients.read(readClient(clientId));
  return found === undefined ? undefined : clientFromItem(found);
}

test('a client is read consistently, so that a revocation holds from then on', () => {
  expect(readClient('client_1')).toEqual({ Key: { client_id: { S: 'client_1' } }, ConsistentRead: true });
  expect(readClientAuthentication('client_1').ConsistentRead).toBe(true);
});

describe('a client', () => {
  test('is stored as documented', async () => {
    expect(await tables.clients.put(putNewClient(client))).toBe(true);
    expect(await tables.clients.read(readClient('client_1'))).toEqual(item);
    expect(await read('client_1')).toEqual(client);
  });

  test('is not stored over another one', async () => {
    const { client_id } = await stored();
    expect(await tables.clients.put(putNewClient({ ...client, client_id, name: 'Other' }))).toBe(false);
    expect((await read(client_id))?.name).toBe('Acme orders');
  });

  test('that is revoked holds since when', () => {
    const revoked = { ...item, status: { S: 'revoked' }, revoked_at: { S: later } };
    expect(clientFromItem(revoked)).toEqual({ ...client, status: 'revoked', revoked_at: later });
  });

  test('without secrets and scopes is one, too', () => {
    expect(clientFromItem({ ...item, scopes: { L: [] }, secrets: { L: [] } })).toEqual({
      ...client,
      scopes: [],
      secrets: [],
    });
  });

  const withSecret = (changed: Item): Item => ({
    ...item,
    secrets: { L: [{ M: { ...item.secrets.L[0]?.M, ...changed } }] },
  });
  const digest = (sha256: string) => withSecret({ sha256: { S: sha256 } });

  test.each<WrongItem>([
    ...withoutEach(item, Object.keys(item)),
    ...withEachOfAnotherType({ ...item, revoked_at: { S: later } }),
    ['of an unknown status', { ...item, status: { S: 'paused' } }, 'status'],
    ['with a scope that is not text', { ...item, scopes: { L: [{ N: '1' }] } }, 'scopes.L.0.S'],
    ['with a secret that is no map', { ...item, secrets: { L: [{ S: 'x' }] } }, 'secrets.L.0.M'],
    ['with a secret without its digest', { ...item, secrets: { L: [{ M: {} }] } }, 'sha256'],
    ['with a secret without its id', { ...item, secrets: { L: [{ M: {} }] } }, 'secret_id'],
    ['with a secret without its time', { ...item, secrets: { L: [{ M: {} }] } }, 'created_at'],
    ['with a short digest', digest('a'.repeat(63)), 'sha256'],
    ['with a long digest', digest('a'.repeat(65)), 'sha256'],
    ['with text before the digest', digest(`x${first.sha256}`), 'sha256'],
    ['with text after the digest', digest(`${first.sha256}x`), 'sha256'],
    ['with a digest in capitals', digest(first.sha256.toUpperCase()), 'sha256'],
    ['with a secret whose end is no time', withSecret({ ends_at: { S: 'soon' } }), 'ends_at'],
    ['with a secret whose end is no text', withSecret({ ends_at: { N: '1' } }), 'ends_at'],
  ])('%s is refused, and the place named', (_what, wrong, place) => {
    expect(() => clientFromItem(wrong)).toThrow(/^The stored client is not as expected at: /);
    expect(() => clientFromItem(wrong)).toThrow(place);
  });
});

describe('what the token endpoint reads of a client', () => {
  test('is what it needs, and no more', async () => {
    const { client_id } = await stored();
    const { organisation_id, status, scopes, secrets } = item;
    const found = await tables.clients.read(readClientAuthentication(client_id));
    expect(found).toEqual({ organisation_id, status, scopes, secrets });
    expect(clientAuthenticationFromItem(found ?? {})).toEqual({
      organisation_id: 'acme',
      status: 'active',
      scopes: ['volume:read', 'sync:create'],
      secrets: [{ sha256: first.sha256 }, { sha256: first.sha256, ends_at: later }],
    });
  });

  test.each<WrongItem>([
    ...withoutEach(item, ['organisation_id', 'status', 'scopes', 'secrets']),
    ['with a secret without its digest', { ...item, secrets: { L: [{ M: {} }] } }, 'sha256'],
  ])('is refused %s, and the place named', (_what, wrong, place) => {
    expect(() => clientAuthenticationFromItem(wrong)).toThrow(/^The stored client is not as expected at: /);
    expect(() => clientAuthenticationFromItem(wrong)).toThrow(place);
  });
});

describe('revoking a client', () => {
  test('happens once: the time of the first stays', async () => {
    const { client_id } = await stored();
    expect(await tables.clients.update(updateToRevoked(client_id, later))).toBe(true);
    expect(await tables.clients.update(updateToRevoked(client_id, '2027-01-01T00:00:00.000Z'))).toBe(false);
    expect(await read(client_id)).toEqual({ ...client, client_id, status: 'revoked', revoked_at: later });
  });

  test('can be undone, once, and leaves nothing behind', async () => {
    const before = await stored({ status: 'revoked', revoked_at: later });
    expect(await tables.clients.update(updateToActive(before.client_id))).toBe(true);
    expect(await tables.clients.update(updateToActive(before.client_id))).toBe(false);
    expect(await read(before.client_id)).toEqual({ ...client, client_id: before.client_id });
  });
});

describe('changing a client', () => {
  test('replaces its scopes and nothing else', async () => {
    const { client_id } = await stored();
    expect(await tables.clients.update(updateScopes(client_id, ['sync:create']))).toBe(true);
    expect(await read(client_id)).toEqual({ ...client, client_id, scopes: ['sync:create'] });
  });

  test('replaces its name and nothing else', async () => {
    const { client_id } = await stored();
    expect(await tables.clients.update(updateClientName(client_id, 'New'))).toBe(true);
    expect(await read(client_id)).toEqual({ ...client, client_id, name: 'New' });
  });

  test.each([
    ['revoking', updateToRevoked('nobody', later)],
    ['reinstating', updateToActive('nobody')],
    ['new scopes', updateScopes('nobody', [])],
    ['a new name', updateClientName('nobody', 'New')],
    ['new secrets', updateSecrets({ ...client, client_id: 'nobody' }, [])],
    ['first secrets', updateSecrets({ ...client, client_id: 'nobody', secrets: [] }, [first])],
  ])('that does not exist is refused, and does not make it: %s', async (_what, update) => {
    expect(await tables.clients.update(update)).toBe(false);
    expect(await tables.clients.read(readClient('nobody'))).toBeUndefined();
  });
});

describe('new secrets of a client', () => {
  const third: StoredSecret = { ...first, secret_id: 'secret_3' };

  test.each([
    ['the first', [], [first]],
    ['a second', [first], [first, third]],
    ['one in place of another', [first, ending], [ending, third]],
    ['none', [first], []],
  ] as const)('replace those that were read: %s', async (_what, before, after) => {
    const known = await stored({ secrets: [...before] });
    expect(await tables.clients.update(updateSecrets(known, after))).toBe(true);
    expect((await read(known.client_id))?.secrets).toEqual(after);
  });

  test.each([
    ['one was added', [first], [first, third]],
    ['the first one was added', [], [first]],
    ['one was removed', [first, ending], [first]],
    ['all were removed', [first], []],
    ['the first is another one', [first, ending], [third, ending]],
    ['the second is another one', [first, ending], [first, { ...ending, secret_id: 'secret_3' }]],
    ['the first got an end', [first, ending], [{ ...first, ends_at: later }, ending]],
    ['the second got an end', [first, third], [first, { ...third, ends_at: later }]],
    ['the end was taken away', [first, ending], [first, { ...first, secret_id: 'secret_2' }]],
    ['the end is another', [first, ending], [first, { ...ending, ends_at: '2026-03-01T00:00:00.000Z' }]],
  ] as const)('are refused when %s meanwhile', async (_what, known, present) => {
    const { client_id } = await stored({ secrets: [...present] });
    const update = updateSecrets({ ...client, client_id, secrets: [...known] }, [third]);
    expect(await tables.clients.update(update)).toBe(false);
    expect((await read(client_id))?.secrets).toEqual(present);
  });
});

describe('a secret', () => {
  test('works until its end, and from then on no more', () => {
    const ids = (now: string) => liveSecrets(client, now).map(({ secret_id }) => secret_id);
    expect(ids('2026-02-01T08:59:59.999Z')).toEqual(['secret_1', 'secret_2']);
    expect(ids(later)).toEqual(['secret_1']);
  });
});
