import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { clientAuthenticationFromItem, readClientAuthenticationRequest } from '../../storage/client.ts';

/** The attributes of a client that `token` needs. */
export type RegisteredClient = ReturnType<typeof clientAuthenticationFromItem>;

export type ReadClient = (clientId: string) => Promise<RegisteredClient | undefined>;

/**
 * Creates a read of a client by its id, consistent and never from a cache. After a completed revocation, no
 * token is issued.
 */
export function createReadClient(dynamodb: DynamoDBClient, tableName: string): ReadClient {
  return async (clientId) => {
    const read = new GetItemCommand({ TableName: tableName, ...readClientAuthenticationRequest(clientId) });
    const { Item: item } = await dynamodb.send(read);
    return item && clientAuthenticationFromItem(item);
  };
}
