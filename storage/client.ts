import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import * as v from 'valibot';
import { parseAddressRanges } from '../contract/address-ranges.ts';
import {
  attributeNames,
  changeEntries,
  deletionEntries,
  type Item,
  type ItemPut,
  type ItemRead,
  type ItemUpdate,
  itemUpdate,
  listAttribute,
  mapAttribute,
  selectAttributes,
  suspensionEntries,
  type Timestamp,
  textAttribute,
  textAttributes,
  timeAttribute,
  undoEntries,
  updateToUndeleted,
} from './attributes.ts';
import { parseStored } from './stored-data.ts';
import { byCreationIndex, newestAttributes, newestIndex, type TableKeys } from './table.ts';

export const clientsTable = {
  partitionKey: 'client_id',
  indexes: [byCreationIndex, newestIndex],
} as const satisfies TableKeys;

/** A stored client secret: its digest, never its value. */
const secretEntries = {
  secret_id: textAttribute,
  /** SHA-256 of the whole secret, lower-case hex. */
  sha256: v.pipe(textAttribute, v.regex(/^[0-9a-f]{64}$/)),
  created_at: timeAttribute,
  /** Time from which the secret is rejected. Absent: the secret does not end. */
  ends_at: v.exactOptional(timeAttribute),
};

/** Ranges in their canonical text. Other lists are damaged: they must not open the client to more addresses. */
const rangesAttribute = v.pipe(
  listAttribute(textAttribute),
  v.minLength(1),
  v.check((texts) => parseAddressRanges(texts).ranges?.join() === texts.join()),
);

const clientEntries = {
  client_id: textAttribute,
  organisation_id: textAttribute,
  name: textAttribute,
  scopes: listAttribute(textAttribute),
  status: v.pipe(textAttribute, v.picklist(['active', 'revoked'])),
  /** Ranges of IP addresses from which the client may send requests. Absent: every address. */
  allow_from: v.exactOptional(rangesAttribute),
  secrets: listAttribute(mapAttribute(secretEntries)),
  created_at: timeAttribute,
  /** The ARN of the operator who created the item. */
  created_by: v.exactOptional(textAttribute),
  ...changeEntries,
  /** Present only while the client is revoked. */
  revoked_at: v.exactOptional(timeAttribute),
  ...deletionEntries,
  undeleted_at: undoEntries.undeleted_at,
  ...suspensionEntries,
};

const clientSchema = v.object(clientEntries);

export type StoredClient = v.InferOutput<typeof clientSchema>;
export type StoredSecret = StoredClient['secrets'][number];

/** A client may use at most two live secrets. The second one allows replacing the first without downtime. */
export const maxLiveSecrets = 2;

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function clientFromItem(item: Item): StoredClient {
  return parseStored('client', clientSchema, item);
}

/**
 * Reads one client, consistently. A request that starts after a completed revocation therefore gets no token.
 */
export function readClientRequest(clientId: string): ItemRead {
  return { Key: clientKey(clientId), ConsistentRead: true };
}

const authentication = selectAttributes('client', {
  organisation_id: clientEntries.organisation_id,
  status: clientEntries.status,
  ...suspensionEntries,
  scopes: clientEntries.scopes,
  allow_from: clientEntries.allow_from,
  secrets: listAttribute(
    mapAttribute({
      secret_id: secretEntries.secret_id,
      sha256: secretEntries.sha256,
      ends_at: secretEntries.ends_at,
    }),
  ),
});

/** Reads the attributes of a client that the token endpoint needs, consistently. */
export function readClientAuthenticationRequest(clientId: string): ItemRead {
  return { ...readClientRequest(clientId), ...authentication.projection };
}

/** @throws {StoredDataError} if the item does not match docs/stored-items.md */
export function clientAuthenticationFromItem(item: Item) {
  return authentication.parse(item);
}

/** Stores a new client. Rejected if a client with this id exists. */
export function putNewClient({
  scopes,
  secrets,
  allow_from,
  ...texts
}: Omit<StoredClient, keyof typeof deletionEntries>): ItemPut {
  return {
    Item: {
      ...textAttributes({ ...texts, ...newestAttributes }),
      scopes: textsToAttribute(scopes),
      secrets: secretsToAttribute(secrets),
      ...(allow_from && { allow_from: textsToAttribute(allow_from) }),
    },
    ConditionExpression: 'attribute_not_exists(#client_id)',
    ExpressionAttributeNames: attributeNames('client_id'),
  };
}

/** Revokes a client. Rejected if the client does not exist, or is already revoked. */
export function updateToRevoked(clientId: string, revokedAt: Timestamp): ItemUpdate {
  const values = textAttributes({ to: 'revoked', at: revokedAt });
  return updateExisting(clientId, 'SET #status = :to, #revoked_at = :at', values, '#status <> :to');
}

/** Reactivates a revoked client. Rejected if the client does not exist, or is already active. */
export function updateToActive(clientId: string): ItemUpdate {
  const values = textAttributes({ to: 'active' });
  return updateExisting(clientId, 'SET #status = :to REMOVE #revoked_at', values, '#status <> :to');
}

/**
 * Deletes a client, and stops an undo: revokes it and removes its secrets. A repeated update keeps the first times. A
 * client that was revoked before keeps the time of that revocation. Rejected if the client does not exist.
 */
export function updateToDeletedClient(clientId: string, deletedAt: Timestamp): ItemUpdate {
  return itemUpdate(
    clientKey(clientId),
    'SET #status = :revoked, #secrets = :none, #revoked_at = if_not_exists(#revoked_at, :at), ' +
      '#deleted_at = if_not_exists(#deleted_at, :at) REMOVE #undeleted_at',
    'attribute_exists(#client_id)',
    { ...textAttributes({ revoked: 'revoked', at: deletedAt }), none: { L: [] } },
  );
}

/**
 * Ends the undo of the deletion of a client. Its secrets are gone, so it gets new ones. A client that was revoked
 * before its deletion stays revoked. Rejected unless the undo is the one that began at this time.
 */
export function updateToUndeletedClient(
  { client_id, deleted_at, revoked_at }: Pick<StoredClient, 'client_id' | 'deleted_at' | 'revoked_at'>,
  undeletedAt: Timestamp,
  secrets: readonly StoredSecret[],
): ItemUpdate {
  const wasActive = revoked_at === deleted_at;
  const set = { secrets: secretsToAttribute(secrets), status: { S: wasActive ? 'active' : 'revoked' } };
  return updateToUndeleted(clientKey(client_id), undeletedAt, set, wasActive ? ['revoked_at'] : []);
}

/** Replaces the scopes of a client. Rejected if the client does not exist. */
export function updateScopes(clientId: string, scopes: readonly string[]): ItemUpdate {
  return updateExisting(clientId, 'SET #scopes = :scopes', { scopes: textsToAttribute(scopes) });
}

/**
 * Replaces the ranges of addresses of a client. Rejected if the client does not exist.
 *
 * @param ranges undefined to allow every address
 */
export function updateAddresses(clientId: string, ranges: readonly string[] | undefined): ItemUpdate {
  return ranges === undefined
    ? updateExisting(clientId, 'REMOVE #allow_from', {})
    : updateExisting(clientId, 'SET #allow_from = :ranges', { ranges: textsToAttribute(ranges) });
}

/** Replaces the display name of a client. Rejected if the client does not exist. */
export function updateClientName(clientId: string, name: string): ItemUpdate {
  return updateExisting(clientId, 'SET #name = :name', textAttributes({ name }));
}

/** Replaces the list of secrets. Rejected if the stored secrets differ from the secrets of `client`. */
export function updateSecrets(client: StoredClient, secrets: readonly StoredSecret[]): ItemUpdate {
  const { condition, values } = secretsUnchanged(client.secrets);
  const set = { ...values, secrets: secretsToAttribute(secrets) };
  return updateExisting(client.client_id, 'SET #secrets = :secrets', set, condition);
}

/** Returns the secrets that are valid at the given time. */
export function liveSecrets({ secrets }: StoredClient, now: Timestamp): readonly StoredSecret[] {
  return secrets.filter(({ ends_at }) => ends_at === undefined || ends_at > now);
}

/**
 * Creates an update of a client that exists and is not deleted. Without the condition, DynamoDB would create
 * a missing client.
 */
function updateExisting(clientId: string, update: string, values: Item, condition?: string): ItemUpdate {
  const conditions = ['attribute_exists(#client_id)', 'attribute_not_exists(#deleted_at)', condition ?? []];
  return itemUpdate(clientKey(clientId), update, conditions.flat().join(' AND '), values);
}

/**
 * Creates the condition that the stored secrets are unchanged: the same number, and the same id and end time
 * of each.
 */
function secretsUnchanged(secrets: readonly StoredSecret[]) {
  const conditions = ['size(#secrets) = :count'];
  const values: Item = { count: { N: String(secrets.length) } };
  for (const [index, { secret_id, ends_at }] of secrets.entries()) {
    const end = `#secrets[${index}].#ends_at`;
    conditions.push(
      `#secrets[${index}].#secret_id = :id${index}`,
      ends_at === undefined ? `attribute_not_exists(${end})` : `${end} = :end${index}`,
    );
    Object.assign(values, textAttributes({ [`id${index}`]: secret_id, [`end${index}`]: ends_at }));
  }
  return { condition: conditions.join(' AND '), values };
}

function textsToAttribute(texts: readonly string[]): AttributeValue {
  return { L: texts.map((text) => ({ S: text })) };
}

function secretsToAttribute(secrets: readonly StoredSecret[]): AttributeValue {
  return { L: secrets.map((secret) => ({ M: textAttributes(secret) })) };
}

function clientKey(clientId: string): Item {
  return { client_id: { S: clientId } };
}
