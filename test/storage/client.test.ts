import { describe, expect, test } from 'vitest';
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
import { useTables } from './support/tables.ts';
import { notRefused, type WrongItem, withEachOfAnotherType, withoutEach } from './support/wrong-items.ts';

const tables = await useTables();

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

/** The same client as storage/README.md says. */
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

  const withSecret = (changed: Item): Item => ({
    ...item,
    secrets: { L: [{ M: { ...item.secrets.L[0]?.M, ...changed } }] },
  });

  test('is refused when anything in it is wrong, and the place named', () => {
    const wrong: readonly WrongItem[] = [
      ...withoutEach(item, Object.keys(item)),
      ...withEachOfAnotherType({ ...item, revoked_at: { S: later } }),
      ['an unknown status', { ...item, status: { S: 'paused' } }, 'status'],
      ['a scope that is not text', { ...item, scopes: { L: [{ N: '1' }] } }, 'scopes.L.0.S'],
      ['a secret that is no map', { ...item, secrets: { L: [{ S: 'x' }] } }, 'secrets.L.0.M'],
      ...['sha256', 'secret_id', 'created_at'].map(
        (name): WrongItem => [`a secret without ${name}`, { ...item, secrets: { L: [{ M: {} }] } }, name],
      ),
      ...['a'.repeat(63), 'a'.repeat(65), `x${first.sha256}`, first.sha256.toUpperCase()].map(
        (sha256): WrongItem => [`the digest ${sha256}`, withSecret({ sha256: { S: sha256 } }), 'sha256'],
      ),
      ['a secret whose end is no time', withSecret({ ends_at: { S: 'soon' } }), 'ends_at'],
    ];
    expect(notRefused(wrong, clientFromItem)).toEqual([]);
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

  test('is refused when anything in it is wrong, and the place named', () => {
    const wrong: readonly WrongItem[] = [
      ...withoutEach(item, ['organisation_id', 'status', 'scopes', 'secrets']),
      ['a secret without its digest', { ...item, secrets: { L: [{ M: {} }] } }, 'sha256'],
    ];
    expect(notRefused(wrong, clientAuthenticationFromItem)).toEqual([]);
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
  test('replaces its scopes and its name, and nothing else', async () => {
    const { client_id } = await stored();
    expect(await tables.clients.update(updateScopes(client_id, ['sync:create']))).toBe(true);
    expect(await tables.clients.update(updateClientName(client_id, 'New'))).toBe(true);
    expect(await read(client_id)).toEqual({ ...client, client_id, scopes: ['sync:create'], name: 'New' });
  });

  test('that does not exist is refused, and does not make it', async () => {
    const nobody = { ...client, client_id: 'nobody' };
    for (const update of [
      updateToRevoked('nobody', later),
      updateToActive('nobody'),
      updateScopes('nobody', []),
      updateClientName('nobody', 'New'),
      updateSecrets(nobody, []),
      updateSecrets({ ...nobody, secrets: [] }, [first]),
    ]) {
      expect(await tables.clients.update(update)).toBe(false);
    }
    expect(await tables.clients.read(readClient('nobody'))).toBeUndefined();
  });
});

describe('new secrets of a client', () => {
  const third: StoredSecret = { ...first, secret_id: 'secret_3' };

  test('replace those that were read', async () => {
    const changes = [
      [[], [first]],
      [[first], [first, third]],
      [
        [first, ending],
        [ending, third],
      ],
      [[first], []],
    ];
    for (const [before = [], after = []] of changes) {
      const known = await stored({ secrets: before });
      expect(await tables.clients.update(updateSecrets(known, after))).toBe(true);
      expect((await read(known.client_id))?.secrets).toEqual(after);
    }
  });

  test('are refused when the secrets are others meanwhile', async () => {
    const meanwhile: Readonly<Record<string, readonly [StoredSecret[], StoredSecret[]]>> = {
      'one was added': [[first], [first, third]],
      'the first one was added': [[], [first]],
      'one was removed': [[first, ending], [first]],
      'all were removed': [[first], []],
      'the first is another one': [
        [first, ending],
        [third, ending],
      ],
      'the second is another one': [
        [first, ending],
        [first, { ...ending, secret_id: 'secret_3' }],
      ],
      'the first got an end': [
        [first, ending],
        [{ ...first, ends_at: later }, ending],
      ],
      'the second got an end': [
        [first, third],
        [first, { ...third, ends_at: later }],
      ],
      'the end was taken away': [
        [first, ending],
        [first, { ...first, secret_id: 'secret_2' }],
      ],
      'the end is another': [
        [first, ending],
        [first, { ...ending, ends_at: '2026-03-01T00:00:00.000Z' }],
      ],
    };
    for (const [what, [known, present]] of Object.entries(meanwhile)) {
      const { client_id } = await stored({ secrets: present });
      const update = updateSecrets({ ...client, client_id, secrets: known }, [third]);
      expect([what, await tables.clients.update(update)]).toEqual([what, false]);
      expect((await read(client_id))?.secrets).toEqual(present);
    }
  });
});

describe('a secret', () => {
  test('works until its end, and from then on no more', () => {
    const ids = (now: string) => liveSecrets(client, now).map(({ secret_id }) => secret_id);
    expect(ids('2026-02-01T08:59:59.999Z')).toEqual(['secret_1', 'secret_2']);
    expect(ids(later)).toEqual(['secret_1']);
  });
});
