import {
  GetItemCommand,
  PutItemCommand,
  QueryCommand,
  type QueryCommandInput,
  UpdateItemCommand,
} from '@aws-sdk/client-dynamodb';
import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../../storage/attributes.ts';
import { clientsTable } from '../../../storage/client.ts';
import { filesTable } from '../../../storage/file.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import { uploadsTable } from '../../../storage/upload.ts';
import { startDynamodb } from '../../support/dynamodb.ts';

/** The three tables in a DynamoDB, which checks every condition and every expression. It ends with the file that asks for it. */
export async function useTables() {
  const { client } = await startDynamodb({
    clients: clientsTable.partitionKey,
    files: filesTable.partitionKey,
    uploads: uploadsTable,
  });
  const table = (TableName: 'clients' | 'files' | 'uploads') => ({
    /** @returns whether it was written; `false` when its condition rejected it */
    put: (input: ItemPut): Promise<boolean> =>
      isDone(client.send(new PutItemCommand({ TableName, ...input }))),
    /** @returns whether it was written; `false` when its condition rejected it */
    update: (input: ItemUpdate): Promise<boolean> =>
      isDone(client.send(new UpdateItemCommand({ TableName, ...input }))),
    read: async (input: ItemRead): Promise<Item | undefined> =>
      (await client.send(new GetItemCommand({ TableName, ...input }))).Item,
    query: (input: Omit<QueryCommandInput, 'TableName'>) =>
      client.send(new QueryCommand({ TableName, ...input })),
  });
  return { clients: table('clients'), files: table('files'), uploads: table('uploads') };
}

async function isDone(write: Promise<unknown>): Promise<boolean> {
  return (await conditionalWrite(write)) !== 'rejected';
}
