import { KeyedMutex } from '../shared/concurrency.ts';
import { isJsonObject } from '../shared/json.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { itemWrites, type TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';
import { scan } from './scan.ts';
import type { TableOperation } from './table-operations.ts';
import { createTables } from './template-tables.ts';

type Json = Record<string, unknown>;

/** Names of the key attributes of each table. */
type Keys = ReadonlyMap<string, readonly string[]>;

const reads: ReadonlySet<TableOperation> = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/**
 * Creates tables whose reads are as outdated as DynamoDB allows ("DynamoDB read consistency"): an eventually
 * consistent read never sees the last write of an item. In AWS such a read sometimes sees it, but a test must
 * not depend on chance.
 *
 * @param truth engine that contains the tables and every write
 * @param past empty engine, which stores each item as it was before its last write
 * @returns an engine that needs no close: close the two others
 */
export async function delayReads(
  truth: TableEngine,
  past: TableEngine,
  resources: readonly Resource[],
): Promise<TableEngine> {
  await createTables(past, resources);
  const keys = keysOf(resources);
  for (const tableName of keys.keys()) {
    // Copy everything that an earlier process stored to the past.
    for await (const items of scan(truth, { TableName: tableName })) {
      for (const Item of items) {
        await past.run('PutItem', { TableName: tableName, Item });
      }
    }
  }
  const mutex = new KeyedMutex();
  return {
    ...truth,
    run: (operation, input) => {
      const key = itemWrites.has(operation) ? keyIn(input, keys) : undefined;
      if (key !== undefined) {
        return mutex.run(JSON.stringify([input.TableName, key]), () =>
          write({ operation, input, key }, truth, past),
        );
      }
      // The past does not contain tables that a caller created.
      const isLate =
        reads.has(operation) &&
        !asksForConsistency(input) &&
        tableNamesOf(input).every((name) => keys.has(name));
      return (isLate ? past : truth).run(operation, input);
    },
  };
}

function tableNamesOf({ TableName, RequestItems }: Json): readonly string[] {
  return isJsonObject(RequestItems) ? Object.keys(RequestItems) : [String(TableName)];
}

/** ConsistentRead is set for each table of a batch. */
function asksForConsistency({ ConsistentRead, RequestItems }: Json): boolean {
  const requests = isJsonObject(RequestItems) ? Object.values(RequestItems) : [{ ConsistentRead }];
  return requests.every((request) => isJsonObject(request) && request.ConsistentRead === true);
}

interface Write {
  readonly operation: TableOperation;
  readonly input: Json;
  readonly key: Json;
}

/** Writes an item. A rejected write changes no data: the write before it stays the last write. */
async function write({ operation, input, key }: Write, truth: TableEngine, past: TableEngine): Promise<Json> {
  const { TableName } = input;
  // A read with an invalid key fails. The write fails too, and reports the error to the caller.
  const before = await truth
    .run('GetItem', { TableName, Key: key, ConsistentRead: true })
    .catch((): Json => ({}));
  const output = await truth.run(operation, input);
  await (before.Item === undefined
    ? past.run('DeleteItem', { TableName, Key: key })
    : past.run('PutItem', { TableName, Item: before.Item }));
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
function keyIn({ TableName, Key, Item }: Json, keys: Keys): Json | undefined {
  const attributes = Key ?? Item;
  const names = keys.get(String(TableName));
  if (names === undefined || !isJsonObject(attributes)) {
    return undefined;
  }
  return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}
