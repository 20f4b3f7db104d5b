import { DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { setting } from './environment.ts';

export const dynamodb = new DynamoDBClient();

/** Reads the item of a key, consistently, from the table in an environment variable. */
export async function readItem(variable: string, key: string, id: string) {
  const read = new GetItemCommand({
    TableName: setting(variable),
    Key: { [key]: { S: id } },
    ConsistentRead: true,
  });
  return (await dynamodb.send(read)).Item;
}

/** Reads a client, and its scopes as one text. */
export async function readClient(clientId: string) {
  const item = await readItem('CLIENTS_TABLE_NAME', 'client_id', clientId);
  return { item, scope: (item?.scopes?.L ?? []).map(({ S }) => S).join(' ') };
}
