import type { Resource } from '../shared/resource-type.ts';
import { ofType, type TypedResource } from '../shared/resource-type.ts';
import { describe, finishIndexes, markUnfinished } from './added-indexes.ts';
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
    if (hasNewIndexes({ ...table.properties }, existing)) {
      await markUnfinished(engine, table.ref);
      await engine.forget(table.ref);
      await makeTable(engine, table);
    } else {
      requireSameKeys(table, existing);
    }
    await finishIndexes(engine, table.ref);
    return;
  }
  // The process was killed while it made the table, so nobody has used it.
  if (existing !== undefined) {
    await engine.forget(table.ref);
  }
  await makeTable(engine, table);
  await finishIndexes(engine, table.ref);
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

/** Whether the template has every key and index that the table has, and further indexes. */
function hasNewIndexes(wanted: Record<string, unknown>, existing: Record<string, unknown>): boolean {
  const present = new Set(partsOf(existing));
  const parts = partsOf(wanted);
  return parts.length > present.size && [...present].every((part) => parts.includes(part));
}

function partsOf(table: Record<string, unknown>): string[] {
  const indexes = (table.GlobalSecondaryIndexes ?? []) as { IndexName: string; KeySchema: unknown }[];
  return [
    JSON.stringify(keyNames(table.KeySchema)),
    ...indexes.map(({ IndexName, KeySchema }) => JSON.stringify([IndexName, keyNames(KeySchema)])),
  ];
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
