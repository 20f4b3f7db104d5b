import { KeyedMutex } from '../shared/concurrency.ts';
import { isJsonObject } from '../shared/json.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { itemWrites, type TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';
import { scan } from './scan.ts';
import type { TableOperation } from './table-operations.ts';
import { createTables } from './tables.ts';

type Json = Record<string, unknown>;

/** Names of the key attributes of each table. */
type Keys = ReadonlyMap<string, readonly string[]>;

const reads: ReadonlySet<TableOperation> = new Set(['BatchGetItem', 'GetItem', 'Query', 'Scan']);

/**
 * Tables whose reads are as late as DynamoDB allows ("DynamoDB read consistency"): a read that does not ask for
 * consistency does not see the last write of an item. It does so always, so that a test does not depend on chance.
 *
 * @param truth has the tables, and everything that was written
 * @param past an empty engine. It gets each item as it was before its last write
 * @returns an engine that needs no close of its own
 */
export async function delayReads(
  truth: TableEngine,
  past: TableEngine,
  resources: readonly Resource[],
): Promise<TableEngine> {
  await createTables(past, resources);
  const keys = keysOf(resources);
  for (const tableName of keys.keys()) {
    // What an earlier process stored is in the past.
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
      // A table that a caller made is not in the past.
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

/** A batch asks for each of its tables. */
function asksForConsistency({ ConsistentRead, RequestItems }: Json): boolean {
  const requests = isJsonObject(RequestItems) ? Object.values(RequestItems) : [{ ConsistentRead }];
  return requests.every((request) => isJsonObject(request) && request.ConsistentRead === true);
}

interface Write {
  readonly operation: TableOperation;
  readonly input: Json;
  readonly key: Json;
}

/** A write that is refused changes nothing, so the write before it stays the last one. */
async function write({ operation, input, key }: Write, truth: TableEngine, past: TableEngine): Promise<Json> {
  const { TableName } = input;
  // A key that cannot be read cannot be written either: the write says so.
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

/** The key of the item that a write is for; undefined when it names none. */
function keyIn({ TableName, Key, Item }: Json, keys: Keys): Json | undefined {
  const attributes = Key ?? Item;
  const names = keys.get(String(TableName));
  if (names === undefined || !isJsonObject(attributes)) {
    return undefined;
  }
  return Object.fromEntries(names.map((name) => [name, attributes[name]]));
}
