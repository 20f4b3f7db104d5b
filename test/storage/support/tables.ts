import type { QueryCommandInput } from '@aws-sdk/client-dynamodb';
import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../../storage/attributes.ts';
import { conditionalWrite, type TableKeys } from '../../../storage/table.ts';
import { startDynamodb } from '../../support/dynamodb.ts';

/**
 * Creates a table in a local DynamoDB, which checks every condition and every expression. It stops at the end
 * of the test file.
 */
export async function useTable(keys: TableKeys) {
  const { client } = await startDynamodb({ items: keys });
  const TableName = 'items';
  return {
    /** @returns true if it was written; `false` if its condition rejected it */
    put: (input: ItemPut): Promise<boolean> => isDone(client.putItem({ TableName, ...input })),
    /** @returns true if it was written; `false` if its condition rejected it */
    update: (input: ItemUpdate): Promise<boolean> => isDone(client.updateItem({ TableName, ...input })),
    readItem: async (input: ItemRead): Promise<Item | undefined> =>
      (await client.getItem({ TableName, ...input })).Item,
    query: (input: Omit<QueryCommandInput, 'TableName'>) => client.query({ TableName, ...input }),
  };
}

async function isDone(write: Promise<unknown>): Promise<boolean> {
  return (await conditionalWrite(write)) !== 'rejected';
}
