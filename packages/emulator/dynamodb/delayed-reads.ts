import { KeyedMutex } from '../shared/concurrency.ts';
import { isJsonObject } from '../shared/json.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { itemWrites, type JsonRecord, type TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';
import { scan } from './scan.ts';
import type { TableOperation } from './table-operations.ts';
import { createTables } from './template-tables.ts';

/** Names of the key attributes of each table. */
type Keys = ReadonlyMap<string, readonly string[]>;

const reads: ReadonlySet<TableOperation> = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/**
 * Creates tables whose reads are as outdated as DynamoDB allows ("DynamoDB read consistency"): an eventually
 * consistent read never sees the last write of an item. In AWS such a read sometimes sees it, but a test must
 * not depend on chance.
 *
 * @param current engine that contains the tables and every write
 * @param outdated empty engine, which stores each item as it was before its last write
 * @returns an engine that needs no close: close the two others
 */
export async function delayReads(
  current: TableEngine,
  outdated: TableEngine,
  resources: readonly Resource[],
): Promise<TableEngine> {
  await createTables(outdated, resources);
  const keys = keysOf(resources);
  for (const tableName of keys.keys()) {
    // Copy everything that an earlier process stored to the outdated engine.
    for await (const items of scan(current, { TableName: tableName })) {
      for (const Item of items) {
        await outdated.run('PutItem', { TableName: tableName, Item });
      }
    }
  }
  const mutex = new KeyedMutex();
  return {
    ...current,
    run: (operation, input) => {
      const key = itemWrites.has(operation) ? keyIn(input, keys) : undefined;
      if (key !== undefined) {
        return mutex.run(JSON.stringify([input.TableName, key]), () =>
          write({ operation, input, key }, current, outdated),
        );
      }
      // The outdated engine does not contain tables that a caller created.
      const isOutdatedRead =
        reads.has(operation) &&
        !isConsistentRead(input) &&
        tableNamesOf(input).every((name) => keys.has(name));
      return (isOutdatedRead ? outdated : current).run(operation, input);
    },
  };
}

function tableNamesOf({ TableName, RequestItems }: JsonRecord): readonly string[] {
  return isJsonObject(RequestItems) ? Object.keys(RequestItems) : [String(TableName)];
}

/** ConsistentRead is set for each table of a batch. */
function isConsistentRead({ ConsistentRead, RequestItems }: JsonRecord): boolean {
  const requests = isJsonObject(RequestItems) ? Object.values(RequestItems) : [{ ConsistentRead }];
  return requests.every((request) => isJsonObject(request) && request.ConsistentRead === true);
}

interface Write {
  readonly operation: TableOperation;
  readonly input: JsonRecord;
  readonly key: JsonRecord;
}

/** Writes an item. A rejected write changes no data: the write before it stays the last write. */
async function write(
  { operation, input, key }: Write,
  current: TableEngine,
  outdated: TableEngine,
): Promise<JsonRecord> {
  const { TableName } = input;
  // A read with an invalid key fails. The write fails too, and reports the error to the caller.
  const before = await current
    .run('GetItem', { TableName, Key: key, ConsistentRead: true })
    .catch((): JsonRecord => ({}));
  const output = await current.run(operation, input);
  await (before.Item === undefined
    ? outdated.run('DeleteItem', { TableName, Key: key })
    : outdated.run('PutItem', { TableName, Item: before.Item }));
  return output;
}

function keysOf(resources: readonly Resource[]): Keys {
  return new Map(
    ofType(resources, tableType).map(({ ref, properties }) => [
      ref,
      properties.KeySchema.map(({ AttributeName }) => AttributeName).toSorted(),
    ]),
  );
}

/** Returns the key of the item that a write changes; undefined when the write contains no key. */
function keyIn({ TableName, Key, Item }: JsonRecord, keys: Keys): JsonRecord | undefined {
  const attributes = Key ?? Item;
  const names = keys.get(String(TableName));
  if (names === undefined || !isJsonObject(attributes)) {
    return undefined;
  }
  return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}
