import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../../storage/attributes.ts';
import { clientsTable } from '../../../storage/client.ts';
import { filesTable } from '../../../storage/file.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import { uploadsTable } from '../../../storage/upload.ts';
import { startDynamodb } from '../../support/dynamodb.ts';

/**
 * Creates the three tables in a local DynamoDB, which checks every condition and every expression. It stops
 * at the end of the test file.
 */
export async function useTables() {
  const { client } = await startDynamodb({
    clients: clientsTable.partitionKey,
    files: filesTable.partitionKey,
    uploads: uploadsTable,
  });
  const table = (TableName: 'clients' | 'files' | 'uploads') => ({
    /** @returns true if it was written; `false` if its condition rejected it */
    put: (input: ItemPut): Promise<boolean> =>
      isDone(client.putItem({ TableName, ...input })),
    /** @returns true if it was written; `false` if its condition rejected it */
    update: (input: ItemUpdate): Promise<boolean> =>
      isDone(client.updateItem({ TableName, ...input })),
    read: async (input: ItemRead): Promise<Item | undefined> =>
      (await client.getItem({ TableName, ...input })).Item,
    query: (input: Omit<QueryCommandInput, 'TableName'>) =>
      client.query({ TableName, ...input }),
  });
  return { clients: table('clients'), files: table('files'), uploads: table('uploads') };
}

async function isDone(write: Promise<unknown>): Promise<boolean> {
  return (await conditionalWrite(write)) !== 'rejected';
}
