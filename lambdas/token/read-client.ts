import { type DynamoDBClient, GetItemCommand } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { listAttribute, mapAttribute, parseItem, projection, textAttribute } from '../shared/item.ts';

const clientSchema = v.object({
  organisation_id: textAttribute,
  status: v.pipe(textAttribute, v.picklist(['active', 'revoked'])),
  scopes: listAttribute(textAttribute),
  secrets: listAttribute(
    mapAttribute({
      sha256: v.pipe(textAttribute, v.regex(/^[0-9a-f]{64}$/)),
      ends_at: v.optional(v.pipe(textAttribute, v.isoTimestamp())),
    }),
  ),
});

/** What `token` needs to know of a client. */
export interface StoredClient {
  readonly organisationId: string;
  readonly active: boolean;
  readonly scopes: readonly string[];
  readonly secrets: readonly StoredSecret[];
}

export interface StoredSecret {
  /** SHA-256 of the whole secret. */
  readonly digest: Buffer;
  /** When the secret dies, in milliseconds since the epoch; absent for one without an end. */
  readonly endsAt?: number;
}

export type ReadClient = (clientId: string) => Promise<StoredClient | undefined>;

/**
 * Reads a client by primary key, consistently and never from a cache: a token is issued by no request that starts
 * after a revocation returned.
 */
export function createReadClient(dynamodb: DynamoDBClient, tableName: string): ReadClient {
  return async (clientId) => {
    const { Item } = await dynamodb.send(
      new GetItemCommand({
        TableName: tableName,
        Key: { client_id: { S: clientId } },
        ConsistentRead: true,
        ...projection('organisation_id', 'status', 'scopes', 'secrets'),
      }),
    );
    if (Item === undefined) {
      return undefined;
    }
    const client = parseItem('client', clientSchema, Item);
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
