import { EventEmitter } from 'node:events';
import type { Done, Store } from 'dynalite/db/index.js';
import { expect, it } from 'vitest';
import { inScope, scopeStore } from '../../dynamodb/operation-scope.ts';

/** A store that calls back when the test says so. */
function createStore() {
  const callbacks: (() => void)[] = [];
  const [puts, batches]: [string[], unknown[]] = [[], []];
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
    put: (key: string, _: unknown, done?: Done) => {
      puts.push(key);
      later(done);
    },
    del: (_: string, done?: Done) => later(done),
    batch: (changes: unknown, done?: Done) => {
      batches.push(changes);
      later(done);
    },
  };
  const store = { db, tableDb: part(), getItemDb: () => items, getIndexDb: () => items };
  return { store: scopeStore(store as unknown as Store), db, callbacks, puts, batches };
}

const callEach = (callbacks: readonly (() => void)[]) => {
  for (const callback of callbacks) {
    callback();
  }
};

const fail = () => {
  throw new Error('thrown out of a callback');
};

it('what dynalite throws when a put or a lock calls back goes to its own operation', () => {
  const { store, callbacks } = createStore();
  const [mine, others]: [unknown[], unknown[]] = [[], []];
  inScope(
    (error) => mine.push(error),
    () => {
      store.db.put('key', {}, fail);
      store.getItemDb('table').lock('key', fail);
    },
  );
  // Another operation is the cause that this one goes on, as when it releases a lock.
  inScope(
    (error) => others.push(error),
    () => callEach(callbacks),
  );
  expect(mine).toEqual([new Error('thrown out of a callback'), new Error('thrown out of a callback')]);
  expect(others).toEqual([]);
});

it('an item and its indexes are one change, so that a kill leaves none of them alone', () => {
  const { store, batches, puts } = createStore();
  const answered: unknown[] = [];
  inScope(
    () => undefined,
    () => {
      store.db.del('index-global~files~by-time~old', () => answered.push('old index'));
      store.db.put('index-global~files~by-time~new', { id: 1 }, () => answered.push('new index'));
      expect(answered).toEqual(['old index', 'new index']);
      store.db.put('item-files~1', { id: 1, name: 'orders' }, () => answered.push('item'));
    },
  );
  expect(puts).toEqual([]);
  expect(batches).toEqual([
    [
      { type: 'del', key: 'index-global~files~by-time~old' },
      { type: 'put', key: 'index-global~files~by-time~new', value: { id: 1 } },
      { type: 'put', key: 'item-files~1', value: { id: 1, name: 'orders' } },
    ],
  ]);
  expect(answered).not.toContain('item');
});
