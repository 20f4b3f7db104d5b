import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import { clientAuthenticationFromItem, readClientAuthentication } from '../../storage/client.ts';

/** What `token` needs to know of a client. */
export interface RegisteredClient {
  readonly organisationId: string;
  readonly active: boolean;
  readonly scopes: readonly string[];
  readonly secrets: readonly RegisteredSecret[];
}

export interface RegisteredSecret {
  /** SHA-256 of the whole secret. */
  readonly digest: Buffer;
  /** When the secret dies, in milliseconds since the epoch; absent for one without an end. */
  readonly endsAt?: number;
}

export type ReadClient = (clientId: string) => Promise<RegisteredClient | undefined>;

/** Reads a client by its id: consistently, and never from a cache. No token outruns a revocation that returned. */
export function createReadClient(dynamodb: DynamoDBClient, tableName: string): ReadClient {
  return async (clientId) => {
    const read = new GetItemCommand({ TableName: tableName, ...readClientAuthentication(clientId) });
    const { Item: item } = await dynamodb.send(read);
    if (item === undefined) {
      return undefined;
    }
    const client = clientAuthenticationFromItem(item);
    return {
      organisationId: client.organisation_id,
      active: client.status === 'active',
      scopes: client.scopes,
      secrets: client.secrets.map(({ sha256, ends_at }) => ({
        digest: Buffer.from(sha256, 'hex'),
        ...(ends_at === undefined ? {} : { endsAt: Date.parse(ends_at) }),
      })),
    };
  };
}
