import { setImmediate as nextTurn } from 'node:timers/promises';
import { codeOf } from '../shared/errors.ts';
import { isJsonObject } from '../shared/json.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';
import { scan } from './scan.ts';

/** Maximum age of a time to live. DynamoDB ignores an older time: "Using time to live (TTL) in DynamoDB". */
const maxAgeYears = 5;

/** Items read in one turn. A request waits for one turn at most, which takes a few milliseconds. */
const itemsPerTurn = 100;

/**
 * Removes the items whose time to live has passed. DynamoDB does this within a few days.
 *
 * @param signal signal that ends the work between two turns
 */
export async function expireItems(
  engine: TableEngine,
  resources: readonly Resource[],
  now: Date,
  signal?: AbortSignal,
): Promise<void> {
  for (const { ref, properties } of ofType(resources, tableType)) {
    const { TimeToLiveSpecification: ttl, KeySchema } = properties;
    if (ttl?.Enabled) {
      const keyNames = KeySchema.map(({ AttributeName }) => AttributeName);
      await expireTable(engine, { tableName: ref, attribute: ttl.AttributeName, keyNames }, now, signal);
    }
  }
}

interface ExpiringTable {
  readonly tableName: string;
  readonly attribute: string;
  readonly keyNames: readonly string[];
}

async function expireTable(
  engine: TableEngine,
  table: ExpiringTable,
  now: Date,
  signal: AbortSignal | undefined,
): Promise<void> {
  const due = conditionOf(table.attribute, now);
  const pages = scan(engine, {
    TableName: table.tableName,
    ConsistentRead: true,
    Limit: itemsPerTurn,
    FilterExpression: due.expression,
    ...due.parameters,
  });
  for await (const items of pages) {
    for (const item of items) {
      await expireItem(engine, table, due, item);
    }
    await nextTurn(undefined, { signal });
  }
}

type ExpiryCondition = ReturnType<typeof conditionOf>;

/** Condition that an item is due. Only a number counts as a time to live. */
function conditionOf(attribute: string, now: Date) {
  const seconds = Math.floor(now.getTime() / 1000);
  const oldest = seconds - maxAgeYears * 365 * 24 * 3600;
  return {
    expression: '#ttl BETWEEN :oldest AND :now',
    parameters: {
      ExpressionAttributeNames: { '#ttl': attribute },
      ExpressionAttributeValues: { ':oldest': { N: String(oldest) }, ':now': { N: String(seconds) } },
    },
  };
}

/** Removes an item, unless a caller has changed its time to live meanwhile. */
async function expireItem(
  engine: TableEngine,
  table: ExpiringTable,
  due: ExpiryCondition,
  item: unknown,
): Promise<void> {
  if (!isJsonObject(item)) {
    return;
  }
  try {
    await engine.run('DeleteItem', {
      TableName: table.tableName,
      Key: Object.fromEntries(table.keyNames.map((name) => [name, item[name]])),
      ConditionExpression: due.expression,
      ...due.parameters,
    });
  } catch (error) {
    if (codeOf(error) !== 'ConditionalCheckFailedException') {
      throw error;
    }
  }
}
