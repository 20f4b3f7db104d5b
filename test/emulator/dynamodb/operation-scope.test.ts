import { EventEmitter } from 'node:events';
import type { Done, Store } from 'dynalite/db/index.js';
import { expect, it } from 'vitest';
import { inScope, scopeStore } from '../../../emulator/dynamodb/operation-scope.ts';

/** A store that calls back when the test says so. */
function createStore() {
  const callbacks: (() => void)[] = [];
  const later = (done: Done | undefined) => callbacks.push(() => done?.(null, 'later'));
  const part = () => ({
    del: () => undefined,
    lock: (_: string, act: (release: unknown) => void) => void callbacks.push(() => act(undefined)),
    createKeyStream: () => new EventEmitter(),
    createValueStream: () => new EventEmitter(),
  });
  const items = part();
  const db = {
    status: 'open',
    getSync: () => 'now',
    get: (_: string, done?: Done) => later(done),
    put: (_: string, __: unknown, done?: Done) => later(done),
    del: (_: string, done?: Done) => later(done),
    batch: (_: unknown, done?: Done) => later(done),
  };
  const store = { db, tableDb: part(), getItemDb: () => items, getIndexDb: () => items };
  return { store: scopeStore(store as unknown as Store), db, callbacks };
}

const callEach = (callbacks: readonly (() => void)[]) => {
  for (const callback of callbacks) {
    callback();
  }
};

const fail = () => {
  throw new Error('thrown out of a callback');
};

it.each<[string, (store: Store) => void]>([
  ['a put', ({ db }) => void db.put('key', {}, fail)],
  ['a deletion', ({ db }) => void db.del('key', fail)],
  ['a batch', ({ db }) => void db.batch([], fail)],
  ['a lock', ({ getItemDb }) => getItemDb('table').lock('key', fail)],
  ['the lock of an index', ({ getIndexDb }) => getIndexDb('global', 'table', 'index').lock('key', fail)],
  ['the lock of the tables', ({ tableDb }) => tableDb.lock('key', fail)],
])('what dynalite throws when %s calls back goes to its own operation', (_, act) => {
  const { store, callbacks } = createStore();
  const [mine, others]: [unknown[], unknown[]] = [[], []];
  inScope(
    (error) => mine.push(error),
    () => act(store),
  );
  expect(mine).toEqual([]);
  // Another operation is the cause that this one goes on, as when it releases a lock.
  inScope(
    (error) => others.push(error),
    () => callEach(callbacks),
  );
  expect(mine).toEqual([new Error('thrown out of a callback')]);
  expect(others).toEqual([]);
});

it.each(['createKeyStream', 'createValueStream'] as const)(
  'what it throws on an event of %s goes to its own operation',
  (method) => {
    const { store } = createStore();
    const errors: unknown[] = [];
    let stream: NodeJS.ReadableStream | undefined;
    inScope(
      (error) => errors.push(error),
      () => {
        stream = store.getItemDb('table')[method]();
        stream.on('data', fail);
      },
    );
    stream?.emit('data');
    expect(errors).toEqual([new Error('thrown out of a callback')]);
  },
);

it('reads an item immediately, and as the store does while the store opens', () => {
  const { store, db, callbacks } = createStore();
  const values: unknown[] = [];
  store.db.get('key', (_, value) => values.push(value));
  expect(values).toEqual(['now']);
  db.status = 'opening';
  store.db.get('key', (_, value) => values.push(value));
  callEach(callbacks);
  expect(values).toEqual(['now', 'later']);
});

it('gives a failed read to the callback', () => {
  const { store, db } = createStore();
  db.getSync = () => {
    throw new Error('cannot be decoded');
  };
  const errors: unknown[] = [];
  store.db.get('key', (error) => errors.push(error));
  expect(errors).toEqual([new Error('cannot be decoded')]);
});
