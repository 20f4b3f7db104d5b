import type { Item } from '../../../storage/attributes.ts';
import { clientFromItem, clientsTable } from '../../../storage/client.ts';
import { fileFromItem, filesTable } from '../../../storage/file.ts';
import { StoredDataError } from '../../../storage/stored-data.ts';
import { uploadFromItem, uploadsTable } from '../../../storage/upload.ts';
import { dynamoDBClient } from '../../deployment/aws-clients.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { CommandError, UsageError } from '../../errors.ts';
import { quoted } from '../../text.ts';
import type { Table } from '../tables.ts';

/** The tables of the service, by the word of the command line. */
export const restorable = {
  clients: { table: 'ClientsTableName', key: clientsTable.partitionKey, parse: clientFromItem },
  files: { table: 'FilesTableName', key: filesTable.partitionKey, parse: fileFromItem },
  uploads: { table: 'UploadsTableName', key: uploadsTable.partitionKey, parse: uploadFromItem },
} as const satisfies Readonly<
  Record<string, { readonly table: Table; readonly key: string; readonly parse: (item: Item) => unknown }>
>;

export type Restorable = keyof typeof restorable;

export const restorableNames = ['clients', 'files', 'uploads'] as const satisfies readonly Restorable[];

/**
 * Finds the table of the service that a restored table is a copy of, by its key.
 *
 * @param into what the operator says it is
 * @throws {CommandError} when there is no such table, or its key is that of another
 */
export async function recogniseTable(
  deployment: Deployment,
  fromTable: string,
  into: Restorable | undefined,
): Promise<Restorable> {
  const key = await readKey(deployment, fromTable);
  const found = restorableNames.find((name) => restorable[name].key === key);
  if (found === undefined) {
    throw new CommandError(
      `The table ${quoted(fromTable)} has the key ${quoted(key)}, so it is no copy of a table of this service. Nothing was changed.`,
    );
  }
  if (into !== undefined && into !== found) {
    throw new CommandError(
      `The table ${quoted(fromTable)} holds ${found}, not ${into}: its key is ${quoted(key)}. Nothing was changed.`,
    );
  }
  if (deployment.outputs[restorable[found].table] === fromTable) {
    throw new UsageError(
      `${quoted(fromTable)} is the table of the service itself. Give the name of the restored copy to --from-table.`,
    );
  }
  return found;
}

async function readKey(deployment: Deployment, fromTable: string): Promise<string> {
  const { DescribeTableCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  try {
    const { Table: table } = await database.send(new DescribeTableCommand({ TableName: fromTable }));
    if (table?.TableStatus !== 'ACTIVE') {
      throw new CommandError(
        `The table ${quoted(fromTable)} is ${table?.TableStatus ?? 'not ready'}. Wait until it is ACTIVE, and try again.`,
      );
    }
    const keys = table.KeySchema?.map(({ AttributeName }) => AttributeName ?? '') ?? [];
    return keys.join(' ');
  } catch (error) {
    if (error instanceof Error && error.name === 'ResourceNotFoundException') {
      throw new CommandError(
        `There is no table ${quoted(fromTable)} in this account and region. Nothing was changed.`,
      );
    }
    throw error;
  }
}

/** Whether the service can read an item of a table. */
export function isReadable(into: Restorable, item: Item): boolean {
  try {
    restorable[into].parse(item);
    return true;
  } catch (error) {
    if (error instanceof StoredDataError) {
      return false;
    }
    throw error;
  }
}
