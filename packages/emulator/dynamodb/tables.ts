import { AwsError } from '../shared/errors.ts';
import type { Resource } from '../shared/resource-type.ts';
import { ofType, type TypedResource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';

type Table = TypedResource<typeof tableType.properties>;

/**
 * Makes the tables of the template that are missing.
 *
 * @throws {Error} when a table exists with other keys: CloudFormation would replace it, and its data would be lost
 */
export async function createTables(engine: TableEngine, resources: readonly Resource[]): Promise<void> {
  for (const table of ofType(resources, tableType)) {
    await createTable(engine, table);
  }
}

async function createTable(engine: TableEngine, table: Table): Promise<void> {
  const existing = await describe(engine, table.ref);
  if (existing !== undefined && existing.TableStatus === 'ACTIVE') {
    requireSameKeys(table, existing);
    return;
  }
  // The process was killed while it made the table, so nobody has used it.
  if (existing !== undefined) {
    await engine.forget(table.ref);
  }
  await makeTable(engine, table);
}

/** The table as the engine has it; undefined when there is none. */
async function describe(
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

async function makeTable(engine: TableEngine, table: Table): Promise<void> {
  const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode } = table.properties;
  await engine.run('CreateTable', {
    TableName: table.ref,
    AttributeDefinitions,
    KeySchema,
    BillingMode,
    ...(GlobalSecondaryIndexes === undefined
      ? {}
      : { GlobalSecondaryIndexes: GlobalSecondaryIndexes.map(index) }),
  });
  while ((await describe(engine, table.ref))?.TableStatus !== 'ACTIVE') {
    await new Promise((resolve) => setTimeout(resolve, 2));
  }
}

function index({
  IndexName,
  KeySchema,
  Projection,
}: NonNullable<Table['properties']['GlobalSecondaryIndexes']>[number]) {
  return { IndexName, KeySchema, Projection };
}

function requireSameKeys({ logicalId, ref, properties }: Table, existing: Record<string, unknown>): void {
  const wanted = keysOf({ ...properties });
  if (keysOf(existing) === wanted) {
    return;
  }
  throw new Error(
    `${logicalId}: the table ${ref} in the state folder has other keys or indexes than the template. ` +
      'Empty the state folder to make it anew; its items are lost.',
  );
}

function keysOf(table: Record<string, unknown>): string {
  const indexes = (table.GlobalSecondaryIndexes ?? []) as {
    IndexName: string;
    KeySchema: unknown;
    Projection: unknown;
  }[];
  const sorted = indexes.toSorted((a, b) => a.IndexName.localeCompare(b.IndexName));
  const attributes = (table.AttributeDefinitions ?? []) as { AttributeName: string; AttributeType: string }[];
  return JSON.stringify([
    keyNames(table.KeySchema),
    sorted.map(({ IndexName, KeySchema }) => [IndexName, keyNames(KeySchema)]),
    attributes.map(({ AttributeName, AttributeType }) => `${AttributeName}:${AttributeType}`).toSorted(),
  ]);
}

function keyNames(schema: unknown): string[] {
  const keys = schema as { AttributeName: string; KeyType: string }[];
  return keys.map(({ AttributeName, KeyType }) => `${KeyType}:${AttributeName}`).toSorted();
}
