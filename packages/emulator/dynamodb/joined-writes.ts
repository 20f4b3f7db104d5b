import { isDeepStrictEqual } from 'node:util';
import database, { type Change, type Database, type Done } from 'dynalite/db/index.js';

/** What dynalite writes before the key of an item of an index. */
const indexPrefix = 'index-';

/**
 * Changes how dynalite uses its database. dynalite changes the indexes of an item first and the item last, each by
 * itself. Here the indexes wait for the item, which follows in the same turn, and all are one change: a kill leaves none
 * of them behind. Items are read on this thread: LevelDB finds them in memory, and passing the work to another thread takes
 * longer than the work.
 *
 * @returns the write units that indexes took in the last write. Ask while that write calls back
 */
export function joinWrites(db: Database): () => number {
  const { get, put, del, batch } = db;
  const waiting: Change[] = [];
  let lastUnits = 0;
  // Without a callback, the database calls itself: it was asked while it opened.
  const write = (change: Change, done: Done | undefined, alone: () => unknown) => {
    if (typeof done !== 'function' || db.status !== 'open') {
      return alone();
    }
    waiting.push(change);
    if (change.key.startsWith(indexPrefix)) {
      return done(null);
    }
    const changes = waiting.splice(0);
    const units = changes.slice(0, -1).reduce((sum, it) => sum + unitsOf(it, readNow(db, it.key).value), 0);
    return batch.call(db, changes, (error: Error | null) => {
      lastUnits = units;
      done(error);
    });
  };
  db.put = (key, value, done) =>
    write({ type: 'put', key, value }, done, () => put.call(db, key, value, done));
  db.del = (key, done) => write({ type: 'del', key }, done, () => del.call(db, key, done));
  db.get = (key, done) => {
    if (typeof done !== 'function' || db.status !== 'open') {
      return get.call(db, key, done);
    }
    const { error, value } = readNow(db, key);
    return done(error, value);
  };
  return () => lastUnits;
}

function readNow(db: Database, key: string): { readonly error: Error | null; readonly value?: unknown } {
  try {
    return { error: null, value: db.getSync(key) };
  } catch (error) {
    return { error: error instanceof Error ? error : new Error(String(error)) };
  }
}

/**
 * What the change of one index costs: a unit for each KB of the larger entry, and nothing for an entry that stays the same
 * (DynamoDB Developer Guide, "Provisioned throughput considerations for Global Secondary Indexes").
 */
function unitsOf(change: Change, before: unknown): number {
  // As it will be read: dynalite makes objects without a prototype.
  const after = change.type === 'put' ? JSON.parse(JSON.stringify(change.value)) : undefined;
  if (isDeepStrictEqual(before, after)) {
    return 0;
  }
  return Math.max(...[before, after].map((entry) => database.capacityUnits(entry, false, false)));
}
