import { isDeepStrictEqual } from 'node:util';
import database, { type Callback, type Change, type Database } from 'dynalite/db/index.js';

/** Prefix of the keys of index entries. */
const indexPrefix = 'index-';

/**
 * Joins the writes of an item and its indexes. dynalite writes the indexes first and the item last, each in a
 * separate change. Here the changes of the indexes wait for the item, which follows in the same turn, and all
 * of them become one change that a kill cannot split. Items are read on this thread: LevelDB stores them in
 * memory, and passing the read to another thread would take longer than the read.
 *
 * @returns a function that returns the write units of the indexes in the last write. Call this function in
 * the callback of that write
 */
export function joinWrites(db: Database): () => number {
  const { get, put, del, batch } = db;
  const waiting: Change[] = [];
  let lastUnits = 0;
  // The database repeats a call that came while it opened, without a callback.
  const write = (change: Change, done: Callback | undefined, direct: () => unknown) => {
    if (typeof done !== 'function' || db.status !== 'open') {
      return direct();
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
 * Returns the cost of a change to one index: a unit for each KB of the larger entry, or 0 for an unchanged
 * entry (DynamoDB Developer Guide, "Provisioned throughput considerations for Global Secondary Indexes").
 */
function unitsOf(change: Change, before: unknown): number {
  // Conversion to JSON returns the value in the form of a read. dynalite's own objects lack a prototype and
  // would compare as different.
  const after = change.type === 'put' ? JSON.parse(JSON.stringify(change.value)) : undefined;
  if (isDeepStrictEqual(before, after)) {
    return 0;
  }
  return Math.max(...[before, after].map((entry) => database.capacityUnits(entry, false, false)));
}
