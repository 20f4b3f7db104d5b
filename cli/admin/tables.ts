import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/conditional-write.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** The tables, by the stack output that names each. */
export type Table = 'ClientsTableName' | 'FilesTableName' | 'UploadsTableName';

export async function readItem(
  deployment: Deployment,
  table: Table,
  read: ItemRead,
): Promise<Item | undefined> {
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const { Item } = await database.send(new GetItemCommand({ TableName: deployment.outputs[table], ...read }));
  return Item;
}

/** @returns `refused` when the condition did not hold, in which case nothing was written */
export async function putItem(
  deployment: Deployment,
  table: Table,
  put: ItemPut,
): Promise<'written' | 'refused'> {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const write = database.send(new PutItemCommand({ TableName: deployment.outputs[table], ...put }));
  return (await conditionalWrite(write)) === 'refused' ? 'refused' : 'written';
}

/** @returns the item as it is afterwards, or `refused` when the condition did not hold and nothing was changed */
export async function updateItem(
  deployment: Deployment,
  table: Table,
  update: ItemUpdate,
): Promise<Item | 'refused'> {
  const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const TableName = deployment.outputs[table];
  const write = database.send(new UpdateItemCommand({ TableName, ...update, ReturnValues: 'ALL_NEW' }));
  const outcome = await conditionalWrite(write);
  return outcome === 'refused' ? outcome : (outcome.Attributes ?? {});
}
