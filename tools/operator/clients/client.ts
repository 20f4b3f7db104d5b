import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../../contract/identifiers.ts';
import type { Scope } from '../../../contract/routes.ts';
import type { Item } from '../../../storage/attributes.ts';
import {
  clientFromItem,
  clientsTable,
  putNewClient,
  type StoredClient,
  type StoredSecret,
  updateToActive,
  updateToDeletedClient,
  updateToRevoked,
} from '../../../storage/client.ts';
import { newClientSecret } from '../../../storage/client-secret.ts';
import { timeOf } from '../deployment/aws-clock.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { changeItem, getItem } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { type NamedSelection, namedSource } from '../lists/named-source.ts';
import { createInOrganisation } from '../organisations/create.ts';
import { quoted } from '../text.ts';

/** A client secret without its value and digest. */
export type ClientSecret = Omit<StoredSecret, 'sha256'>;

/** A client without the digests of its secrets. */
export interface Client extends Omit<StoredClient, 'secrets'> {
  readonly secrets: readonly ClientSecret[];
}

/**
 * A client with the value of a new secret. The table stores only the digest, so the value cannot be read
 * again.
 */
export interface ClientWithSecret extends Client {
  readonly client_secret: string;
  readonly secret_id: string;
}

export interface NewClient {
  readonly organisationId: string;
  readonly name: string;
  /** At least one scope. */
  readonly scopes: readonly Scope[];
  readonly recreateOrganisation?: boolean;
}

/**
 * Creates a client with one secret, which does not expire.
 *
 * @throws {OperationError} when the organisation was deleted, and its tokens may still work
 */
export async function createClient(
  deployment: Deployment,
  { organisationId, name, scopes, recreateOrganisation }: NewClient,
): Promise<ClientWithSecret> {
  const now = timeOf(deployment);
  const { value, stored } = newClientSecret(now, randomBytes);
  const client: StoredClient = {
    client_id: newIdentifier('client', randomBytes),
    organisation_id: organisationId,
    name,
    scopes: [...scopes],
    status: 'active',
    secrets: [stored],
    created_at: now,
  };
  const item = await createInOrganisation(deployment, {
    organisationId,
    recreateOrganisation,
    kind: 'client',
    put: putNewClient(client),
    undo: updateToDeletedClient(client.client_id, now),
    taken: async () => new OperationError(`A client ${quoted(client.client_id)} already exists.`),
  });
  return { ...clientOf(item), client_secret: value, secret_id: stored.secret_id };
}

/**
 * Reads a client.
 *
 * @throws {OperationError} when there is no client with this id
 */
export async function getClient(deployment: Deployment, clientId: string): Promise<Client> {
  return clientOf(await getItem(deployment, 'client', clientId));
}

/**
 * Reads a client with the digests of its secrets.
 *
 * @throws {OperationError} when there is no client with this id
 */
export async function getStoredClient(deployment: Deployment, clientId: string): Promise<StoredClient> {
  return clientFromItem(await getItem(deployment, 'client', clientId));
}

/**
 * Returns the client of an item.
 *
 * @throws {StoredDataError} when the item does not match storage/README.md
 */
export function clientOf(item: Item): Client {
  const client = clientFromItem(item);
  return { ...client, secrets: client.secrets.map(({ sha256: _, ...secret }) => secret) };
}

/** Statuses of a client in lists, from the weakest to the strongest. The strongest that applies is shown. */
export const clientStatuses = ['active', 'suspended', 'revoked', 'deleted'] as const;

/** Returns the status of a client, in one word. */
export function statusOf({ deleted_at, suspended_at, status }: Client): (typeof clientStatuses)[number] {
  if (deleted_at !== undefined) {
    return 'deleted';
  }
  return suspended_at !== undefined && status === 'active' ? 'suspended' : status;
}

const clientKind = {
  kind: 'client',
  indexes: clientsTable.indexes,
  idsOf: ({ client_id, secrets }: Client) => [client_id, ...secrets.map(({ secret_id }) => secret_id)],
  parse: clientOf,
  statusOf,
} as const;

/** Returns the source of the selected clients. */
export function clientSource(selection: NamedSelection<(typeof clientStatuses)[number]>) {
  return namedSource(clientKind, selection);
}

/** Stops issuing tokens to a client. A request that starts after this function returns gets no token. */
export function revokeClient(deployment: Deployment, clientId: string) {
  return changeItem(deployment, 'client', clientId, updateToRevoked(clientId, timeOf(deployment)));
}

/** Undoes a revocation. */
export function reinstateClient(deployment: Deployment, clientId: string) {
  return changeItem(deployment, 'client', clientId, updateToActive(clientId));
}
