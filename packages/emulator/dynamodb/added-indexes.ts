import { AwsError } from '../shared/errors.ts';
import type { TableEngine } from './engine.ts';

/**
 * An index that is new in the template gets the items that the table has already, as DynamoDB does ("Managing Global
 * Secondary Indexes", "Backfilling"). A table of its own marks that this is not finished, so that a process that is killed
 * meanwhile leaves no index that lacks items.
 */
const markerOf = (tableName: string) => `${tableName}.unfinished-indexes`;

/** Says that the indexes of a table lack items from now on. */
export async function markUnfinished(engine: TableEngine, tableName: string): Promise<void> {
  if (await isUnfinished(engine, tableName)) {
    return;
  }
  await engine.run('CreateTable', {
    TableName: markerOf(tableName),
    AttributeDefinitions: [{ AttributeName: 'id', AttributeType: 'S' }],
    KeySchema: [{ AttributeName: 'id', KeyType: 'HASH' }],
    BillingMode: 'PAY_PER_REQUEST',
  });
}

/** Puts every item into the indexes, if that was begun and not finished. */
export async function finishIndexes(engine: TableEngine, tableName: string): Promise<void> {
  if (!(await isUnfinished(engine, tableName))) {
    return;
  }
  let start: unknown;
  do {
    const page = await engine.run('Scan', {
      TableName: tableName,
      ...(start === undefined ? {} : { ExclusiveStartKey: start }),
    });
    const items: readonly unknown[] = Array.isArray(page.Items) ? page.Items : [];
    // To put an item again changes nothing of it, and writes it to every index.
    await Promise.all(items.map((Item) => engine.run('PutItem', { TableName: tableName, Item })));
    start = page.LastEvaluatedKey;
  } while (start !== undefined);
  await engine.forget(markerOf(tableName));
}

async function isUnfinished(engine: TableEngine, tableName: string): Promise<boolean> {
  return (await describe(engine, markerOf(tableName))) !== undefined;
}

/** The table as the engine has it; undefined when there is none. */
export async function describe(
  engine: TableEngine,
  tableName: string,
): Promise<Record<string, unknown> | undefined> {
  try {
    const { Table: table } = await engine.run('DescribeTable', { TableName: tableName });
    return table as Record<string, unknown>;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') {
      return undefined;
    }
    throw error;
  }
}
