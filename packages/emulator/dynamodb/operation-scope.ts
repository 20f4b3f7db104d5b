import type { Change, Database, Done, ItemStore, Store } from 'dynalite/db/index.js';

/** Takes what an operation threw out of a callback. */
type OnError = (error: unknown) => void;

interface Scope {
  readonly onError: OnError;
  /** Changes of indexes that wait for the change of their item. */
  readonly indexChanges: Change[];
}

let current: Scope | undefined;

/**
 * Runs an operation of dynalite. dynalite throws some errors out of callbacks, where nobody can catch them, and they
 * would end the process. So everything that {@link scopeStore} calls back for the operation runs in its scope as well.
 * A domain of Node.js would do the same, but it slows down every promise and every event of the process.
 */
export function inScope(onError: OnError, act: () => void): void {
  enter({ onError, indexChanges: [] }, act);
}

function enter(scope: Scope, act: () => void): void {
  const before = current;
  current = scope;
  try {
    act();
  } catch (error) {
    scope.onError(error);
  } finally {
    current = before;
  }
}

/** Keeps the scope that a callback was made in. */
function keepScope<Arguments extends unknown[]>(
  callback: (...parameters: Arguments) => void,
): (...parameters: Arguments) => void {
  const scope = current;
  return scope === undefined ? callback : (...parameters) => enter(scope, () => callback(...parameters));
}

/**
 * Makes the store call back in the scope of the operation that asked. Items are read on this thread: LevelDB finds them
 * in its memory or in that of the system, and passing the work to another thread takes longer than the work.
 */
export function scopeStore(store: Store): Store {
  const { db, tableDb, getItemDb, getIndexDb } = store;
  const scoped = new WeakSet<ItemStore>();
  const scope = (part: ItemStore): ItemStore => {
    if (!scoped.has(part)) {
      scoped.add(part);
      scopePart(part);
    }
    return part;
  };
  scopeDatabase(db);
  scope(tableDb);
  return Object.assign(store, {
    getItemDb: (name: string) => scope(getItemDb(name)),
    getIndexDb: (kind: string, table: string, index: string) => scope(getIndexDb(kind, table, index)),
  });
}

/** What dynalite writes before the key of an item of an index. */
const indexPrefix = 'index-';

/**
 * dynalite changes the indexes of an item first, and the item last, each by itself. Here the indexes wait for the item,
 * and all are one change: a kill leaves none of them behind, and LevelDB's thread is asked once.
 */
function scopeDatabase(db: Database): void {
  const { get, put, del, batch } = db;
  // Without a callback, the database calls itself: it was asked while it opened, and now it is open.
  db.put = (key, value, done) =>
    typeof done === 'function'
      ? change({ type: 'put', key, value }, done, () => put.call(db, key, value, keepScope(done)))
      : put.call(db, key, value, done);
  db.del = (key, done) =>
    typeof done === 'function'
      ? change({ type: 'del', key }, done, () => del.call(db, key, keepScope(done)))
      : del.call(db, key, done);
  const change = (made: Change, done: Done, alone: () => unknown) => {
    const waiting = current?.indexChanges;
    if (waiting === undefined || db.status !== 'open') {
      return alone();
    }
    if (made.key.startsWith(indexPrefix)) {
      waiting.push(made);
      return done(null);
    }
    return waiting.length === 0 ? alone() : batch.call(db, [...waiting.splice(0), made], keepScope(done));
  };
  db.batch = (changes, done) => batch.call(db, changes, typeof done === 'function' ? keepScope(done) : done);
  db.get = (key, done) => {
    if (db.status !== 'open' || typeof done !== 'function') {
      return get.call(db, key, typeof done === 'function' ? keepScope(done) : done);
    }
    const { error, value } = readNow(db, key);
    return done(error, value);
  };
}

function readNow(db: Database, key: string): { readonly error: Error | null; readonly value?: unknown } {
  try {
    return { error: null, value: db.getSync(key) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

function scopePart(part: ItemStore): void {
  const { lock, createKeyStream, createValueStream } = part;
  // Another operation lets go of the lock, in a scope of its own.
  part.lock = (key, act) => lock.call(part, key, keepScope(act));
  part.createKeyStream = (options) => scopeEvents(createKeyStream.call(part, options));
  part.createValueStream = (options) => scopeEvents(createValueStream.call(part, options));
}

function scopeEvents(stream: NodeJS.ReadableStream): NodeJS.ReadableStream {
  const scope = current;
  const { emit } = stream;
  if (scope !== undefined) {
    stream.emit = (event, ...parameters) => {
      let heard = false;
      enter(scope, () => {
        heard = emit.call(stream, event, ...parameters);
      });
      return heard;
    };
  }
  return stream;
}
