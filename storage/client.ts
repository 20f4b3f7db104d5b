import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import {
  attributeNames,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  listAttribute,
  mapAttribute,
  selectAttributes,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import type { TableKeys } from './table.ts';

export const clientsTable = { partitionKey: 'client_id', indexes: [] } as const satisfies TableKeys;

/** A client secret as it is stored: its digest, never its value. */
const secretEntries = {
  secret_id: textAttribute,
  /** SHA-256 of the whole secret, lower-case hex. */
  sha256: v.pipe(textAttribute, v.regex(/^[0-9a-f]{64}$/)),
  created_at: textAttribute,
  /** From then on the secret is dead. Absent: it has no end. */
  ends_at: v.exactOptional(timeAttribute),
};

const clientEntries = {
  client_id: textAttribute,
  organisation_id: textAttribute,
  name: textAttribute,
  scopes: listAttribute(textAttribute),
  status: v.pipe(textAttribute, v.picklist(['active', 'revoked'])),
  secrets: listAttribute(mapAttribute(secretEntries)),
  created_at: textAttribute,
  /** Only while the client is revoked. */
  revoked_at: v.exactOptional(textAttribute),
};

const clientSchema = v.object(clientEntries);

export type StoredClient = v.InferOutput<typeof clientSchema>;
export type StoredSecret = StoredClient['secrets'][number];

/** A client has at most two live secrets: the second is there for a rotation. */
export const maximumLiveSecrets = 2;

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
export function clientFromItem(item: Item): StoredClient {
  return parseStored('client', clientSchema, item);
}

/** Reads one client, consistently: no request that starts after a revocation returned gets a token. */
export function readClient(clientId: string): ItemRead {
  return { Key: clientKey(clientId), ConsistentRead: true };
}

const authentication = selectAttributes('client', {
  organisation_id: clientEntries.organisation_id,
  status: clientEntries.status,
  scopes: clientEntries.scopes,
  secrets: listAttribute(mapAttribute({ sha256: secretEntries.sha256, ends_at: secretEntries.ends_at })),
});

/** Reads what the token endpoint needs to know of a client, consistently. */
export function readClientAuthentication(clientId: string): ItemRead {
  return { ...readClient(clientId), ...authentication.projection };
}

/** @throws {StoredDataError} when the item is not as docs/storage.md says */
export function clientAuthenticationFromItem(item: Item) {
  return authentication.parse(item);
}

/** Refused when there is a client with this id. */
export function putNewClient({ scopes, secrets, ...texts }: StoredClient): ItemPut {
  return {
    Item: {
      ...textAttributes(texts),
      scopes: scopesToAttribute(scopes),
      secrets: secretsToAttribute(secrets),
    },
    ConditionExpression: 'attribute_not_exists(#client_id)',
    ExpressionAttributeNames: attributeNames('client_id'),
  };
}

/** Refused when there is no such client, and when it is revoked already. */
export function updateToRevoked(clientId: string, revokedAt: Timestamp): ItemUpdate {
  return updateExisting(clientId, {
    UpdateExpression: 'SET #status = :to, #revoked_at = :at',
    ConditionExpression: '#status <> :to',
    ExpressionAttributeNames: attributeNames('status', 'revoked_at'),
    ExpressionAttributeValues: { ':to': { S: 'revoked' }, ':at': { S: revokedAt } },
  });
}

/** Undoes a revocation. Refused when there is no such client, and when it is active already. */
export function updateToActive(clientId: string): ItemUpdate {
  return updateExisting(clientId, {
    UpdateExpression: 'SET #status = :to REMOVE #revoked_at',
    ConditionExpression: '#status <> :to',
    ExpressionAttributeNames: attributeNames('status', 'revoked_at'),
    ExpressionAttributeValues: { ':to': { S: 'active' } },
  });
}

/** Refused when there is no such client. */
export function updateScopes(clientId: string, scopes: readonly string[]): ItemUpdate {
  return updateExisting(clientId, {
    UpdateExpression: 'SET #scopes = :scopes',
    ExpressionAttributeNames: attributeNames('scopes'),
    ExpressionAttributeValues: { ':scopes': scopesToAttribute(scopes) },
  });
}

/** Adds and ends secrets. Refused when the client's secrets are no longer those that were read. */
export function updateSecrets(client: StoredClient, secrets: readonly StoredSecret[]): ItemUpdate {
  const unchanged = secretsAreStill(client.secrets);
  return updateExisting(client.client_id, {
    UpdateExpression: 'SET #secrets = :secrets',
    ConditionExpression: unchanged.expression,
    ExpressionAttributeNames: { ...attributeNames('secrets'), ...unchanged.names },
    ExpressionAttributeValues: { ...unchanged.values, ':secrets': secretsToAttribute(secrets) },
  });
}

/** The secrets that work at a time. */
export function liveSecrets(client: StoredClient, now: Timestamp): readonly StoredSecret[] {
  return client.secrets.filter(({ ends_at }) => ends_at === undefined || ends_at > now);
}

/** An update would make a client that does not exist. */
function updateExisting(clientId: string, update: Omit<ItemUpdate, 'Key'>): ItemUpdate {
  const conditions = ['attribute_exists(#client_id)', update.ConditionExpression].filter(Boolean);
  return {
    ...update,
    Key: clientKey(clientId),
    ConditionExpression: conditions.join(' AND '),
    ExpressionAttributeNames: { ...attributeNames('client_id'), ...update.ExpressionAttributeNames },
  };
}

/** The condition that these are the stored secrets: their number, and the id and end of each. */
function secretsAreStill(secrets: readonly StoredSecret[]) {
  const conditions = ['size(#secrets) = :count'];
  const values: Record<string, AttributeValue> = { ':count': { N: String(secrets.length) } };
  for (const [index, { secret_id, ends_at }] of secrets.entries()) {
    conditions.push(`#secrets[${index}].#secret_id = :id${index}`);
    values[`:id${index}`] = { S: secret_id };
    if (ends_at === undefined) {
      conditions.push(`attribute_not_exists(#secrets[${index}].#ends_at)`);
    } else {
      conditions.push(`#secrets[${index}].#ends_at = :end${index}`);
      values[`:end${index}`] = { S: ends_at };
    }
  }
  // DynamoDB refuses placeholders that the expression does not use.
  const names = secrets.length === 0 ? {} : attributeNames('secret_id', 'ends_at');
  return { expression: conditions.join(' AND '), names, values };
}

function scopesToAttribute(scopes: readonly string[]): AttributeValue {
  return { L: scopes.map((scope) => ({ S: scope })) };
}

function secretsToAttribute(secrets: readonly StoredSecret[]): AttributeValue {
  return { L: secrets.map((secret) => ({ M: textAttributes(secret) })) };
}

function clientKey(clientId: string): Item {
  return { client_id: { S: clientId } };
}
