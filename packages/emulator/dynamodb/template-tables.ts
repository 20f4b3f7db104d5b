import { AwsError, StartProblem } from '../shared/errors.ts';
import { ofType, type Resource, type TypedResource } from '../shared/resource-type.ts';
import type { TableEngine } from './engine.ts';
import { tableType } from './resource-types.ts';

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
 * Creates the template's missing tables.
 *
 * @throws {StartProblem} when a table exists with other keys or indexes. CloudFormation would replace the table or
 * change its indexes
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
  if (existing?.TableStatus === 'ACTIVE') {
    if (describeDefinition(existing) !== describeDefinition(properties)) {
      throw new StartProblem(
        `${logicalId}: the table ${ref} in the state folder has other keys or indexes than the template. ` +
          'Start with another state folder, or empty this one: its items are then lost.',
      );
    }
    return;
  }
  await engine.removeUnfinished(ref);
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

/** Returns the keys and indexes as one text, to compare them. */
function describeDefinition(definition: Definition): string {
  const { GlobalSecondaryIndexes = [], AttributeDefinitions } = definition;
  const indexes = GlobalSecondaryIndexes.map(({ IndexName, KeySchema, Projection }) => [
    IndexName,
    describeKeys({ KeySchema, AttributeDefinitions }),
    Projection.ProjectionType,
    ...(Projection.NonKeyAttributes ?? []).toSorted(),
  ]);
  const described = indexes.map((index) => index.join()).toSorted();
  return [describeKeys(definition), ...described].join(' ');
}
