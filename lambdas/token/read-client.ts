import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import type { Timestamp } from '../../storage/attributes.ts';
import { clientAuthenticationFromItem, readClientAuthenticationRequest } from '../../storage/client.ts';

/** The parts of a client that `token` needs. */
export interface RegisteredClient {
  readonly organisationId: string;
  readonly state: 'active' | 'suspended' | 'revoked';
  readonly scopes: readonly string[];
  /** Ranges of IP addresses. Absent: every address is allowed. */
  readonly allowFrom?: readonly string[] | undefined;
  readonly secrets: readonly RegisteredSecret[];
}

export interface RegisteredSecret {
  readonly secretId: string;
  /** SHA-256 of the whole secret. */
  readonly digest: Buffer;
  /** Absent: the secret does not end. */
  readonly endsAt?: Timestamp;
}

export type ReadClient = (clientId: string) => Promise<RegisteredClient | undefined>;

/**
 * Creates a read of a client by its id, consistent and never from a cache. After a completed revocation, no
 * token is issued.
 */
export function createReadClient(dynamodb: DynamoDBClient, tableName: string): ReadClient {
  return async (clientId) => {
    const read = new GetItemCommand({ TableName: tableName, ...readClientAuthenticationRequest(clientId) });
    const { Item: item } = await dynamodb.send(read);
    if (item === undefined) {
      return undefined;
    }
    const client = clientAuthenticationFromItem(item);
    return {
      organisationId: client.organisation_id,
      state: client.suspended_at === undefined || client.status === 'revoked' ? client.status : 'suspended',
      scopes: client.scopes,
      allowFrom: client.allow_from,
      secrets: client.secrets.map(({ secret_id, sha256, ends_at }) => ({
        secretId: secret_id,
        digest: Buffer.from(sha256, 'hex'),
        ...(ends_at === undefined ? {} : { endsAt: ends_at }),
      })),
    };
  };
}
