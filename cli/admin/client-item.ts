import type { AttributeValue } from '@aws-sdk/client-dynamodb';
import { isScope, type Scope } from '../../lambdas/shared/contract.ts';
import { type Item, optionalString, readList, readString, type Timestamp } from './items.ts';

export type ClientStatus = 'active' | 'revoked';

/** What may be known of a client secret once it has been shown. */
export interface ClientSecret {
  readonly secret_id: string;
  readonly created_at: Timestamp;
  /** From then on the secret is dead. Absent: it has no end. */
  readonly ends_at?: Timestamp;
}

/** A client as the command line tells of it. */
export interface Client {
  readonly client_id: string;
  readonly organisation_id: string;
  readonly name: string;
  readonly scopes: readonly Scope[];
  readonly status: ClientStatus;
  readonly secrets: readonly ClientSecret[];
  readonly created_at: Timestamp;
  readonly revoked_at?: Timestamp;
}

/** A client secret as it is stored: its digest, never its value. */
export interface StoredSecret extends ClientSecret {
  /** SHA-256 of the whole secret, lower-case hex. */
  readonly sha256: string;
}

export interface StoredClient extends Client {
  readonly secrets: readonly StoredSecret[];
}

/** @throws {Error} when the item was not written by this service */
export function clientFromItem(item: Item): StoredClient {
  const revokedAt = optionalString(item, 'revoked_at');
  return {
    client_id: readString(item, 'client_id'),
    organisation_id: readString(item, 'organisation_id'),
    name: readString(item, 'name'),
    scopes: readList(item, 'scopes').flatMap(({ S: scope = '' }) => (isScope(scope) ? [scope] : [])),
    status: readString(item, 'status') === 'active' ? 'active' : 'revoked',
    secrets: readList(item, 'secrets').map((secret) => secretFromItem(secret.M ?? {})),
    created_at: readString(item, 'created_at'),
    ...(revokedAt !== undefined && { revoked_at: revokedAt }),
  };
}

function secretFromItem(item: Item): StoredSecret {
  const endsAt = optionalString(item, 'ends_at');
  return {
    secret_id: readString(item, 'secret_id'),
    sha256: readString(item, 'sha256'),
    created_at: readString(item, 'created_at'),
    ...(endsAt !== undefined && { ends_at: endsAt }),
  };
}

export function clientToItem(client: StoredClient): Record<string, AttributeValue> {
  return {
    client_id: { S: client.client_id },
    organisation_id: { S: client.organisation_id },
    name: { S: client.name },
    scopes: scopesToAttribute(client.scopes),
    status: { S: client.status },
    secrets: secretsToAttribute(client.secrets),
    created_at: { S: client.created_at },
    ...(client.revoked_at !== undefined && { revoked_at: { S: client.revoked_at } }),
  };
}

export function scopesToAttribute(scopes: readonly Scope[]): AttributeValue {
  return { L: scopes.map((scope) => ({ S: scope })) };
}

export function secretsToAttribute(secrets: readonly StoredSecret[]): AttributeValue {
  return { L: secrets.map((secret) => ({ M: secretToItem(secret) })) };
}

function secretToItem(secret: StoredSecret): Record<string, AttributeValue> {
  return {
    secret_id: { S: secret.secret_id },
    sha256: { S: secret.sha256 },
    created_at: { S: secret.created_at },
    ...(secret.ends_at !== undefined && { ends_at: { S: secret.ends_at } }),
  };
}

/** The client without the digests of its secrets. */
export function withoutDigests(client: StoredClient): Client {
  return { ...client, secrets: client.secrets.map(({ sha256: _, ...secret }) => secret) };
}
