import { AwsError, StartProblem } from '../shared/errors.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';
import { scan } from './scan.ts';

type Table = TypedResource<typeof tableType.properties>;

/** A table in the form of CreateTable and DescribeTable. */
interface Definition extends Record<string, unknown> {
  readonly AttributeDefinitions: readonly {
    readonly AttributeName: string;
    readonly AttributeType: string;
  }[];
  readonly KeySchema: readonly { readonly AttributeName: string; readonly KeyType: string }[];
  readonly GlobalSecondaryIndexes?: Table['properties']['GlobalSecondaryIndexes'];
}

/**
 * Creates the template's missing tables and changed indexes.
 *
 * @throws {Error} when a table exists with other keys: CloudFormation would replace the table, and lose its
 * items
 */
export async function createTables(engine: TableEngine, resources: readonly Resource[]): Promise<void> {
  for (const table of ofType(resources, tableType)) {
    await createTable(engine, table);
  }
}

/** dynalite does not report that the disk was too full to store the new status of a table. */
const maxCreationMilliseconds = 10_000;

async function createTable(engine: TableEngine, { logicalId, ref, properties }: Table): Promise<void> {
  const existing = await describe(engine, ref);
  if (existing !== undefined && describeKeys(existing) !== describeKeys(properties)) {
    throw new Error(
      `${logicalId}: the table ${ref} in the state folder has other keys than the template. ` +
        'Empty the state folder to create the table again; its items are then lost.',
    );
  }
  const isDone = existing?.TableStatus === 'ACTIVE' && !(await engine.isBeingCreated(ref));
  if (isDone && describeIndexes(existing) === describeIndexes(properties)) {
    return;
  }
  await engine.runCreation(ref, async () => {
    const { AttributeDefinitions, KeySchema, GlobalSecondaryIndexes, BillingMode } = properties;
    await engine.run('CreateTable', {
      TableName: ref,
      AttributeDefinitions,
      KeySchema,
      BillingMode,
      GlobalSecondaryIndexes,
    });
    const until = performance.now() + maxCreationMilliseconds;
    while ((await describe(engine, ref))?.TableStatus !== 'ACTIVE') {
      if (performance.now() > until) {
        throw new StartProblem(`The table ${ref} was not created. The disk may be full: free some space.`);
      }
      await new Promise((resolve) => setTimeout(resolve, 2));
    }
    // Adds the items of an earlier table to the indexes. A new table is empty.
    for await (const items of scan(engine, { TableName: ref })) {
      for (const Item of items) {
        await engine.run('PutItem', { TableName: ref, Item });
      }
    }
  });
}

/** Returns a table in the engine; undefined when there is no such table. */
async function describe(engine: TableEngine, tableName: string): Promise<Definition | undefined> {
  try {
    const { Table: table } = await engine.run('DescribeTable', { TableName: tableName });
    return table as Definition;
  } catch (error) {
    if (error instanceof AwsError && error.code === 'ResourceNotFoundException') {
      return undefined;
    }
    throw error;
  }
}

function describeKeys({ KeySchema, AttributeDefinitions }: Definition): string {
  const typeOf = (name: string) =>
    AttributeDefinitions.find((it) => it.AttributeName === name)?.AttributeType;
  return KeySchema.map(({ AttributeName, KeyType }) =>
    [KeyType, AttributeName, typeOf(AttributeName)].join(),
  ).join();
}

function describeIndexes({ GlobalSecondaryIndexes = [], AttributeDefinitions }: Definition): string {
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
    IndexName,
    describeKeys({ KeySchema, AttributeDefinitions }),
    Projection.ProjectionType,
    ...(Projection.NonKeyAttributes ?? []).toSorted(),
  ]);
  return indexes
    .map((index) => index.join())
    .toSorted()
    .join(' ');
}
