import { randomBytes } from 'node:crypto';
import { newIdentifier } from '../../contract/identifiers.ts';
import type { Scope } from '../../contract/scopes.ts';
import { type Item, type ItemUpdate, timestamp } from '../../storage/attributes.ts';
import {
  clientFromItem,
  clientsTable,
  putNewClient,
  readClient,
  type StoredClient,
  type StoredSecret,
  updateClientName,
  updateScopes,
  updateToActive,
  updateToRevoked,
} from '../../storage/client.ts';
import { newClientSecret } from '../../storage/client-secret.ts';
import type { Deployment } from './deployment/deployment.ts';
import { OperationError } from './errors.ts';
import {
  type ListOptions,
  listNewest,
  type NewestRead,
  type Portion,
  type PortionPlace,
  readPortion,
} from './newest-first.ts';
import { includesText, isWithin, type Pages, type TimeRange } from './pages.ts';
import { notFound, putItem, readItem, requireIdentifier, requireNotDeleted, updateItem } from './tables.ts';
import { quoted } from './text.ts';

/** A client secret without its value and digest. */
export type ClientSecret = Omit<StoredSecret, 'sha256'>;

/** A client without the digests of its secrets. */
export interface Client extends Omit<StoredClient, 'secrets'> {
  readonly secrets: readonly ClientSecret[];
}

/** A client with the value of a new secret. The value is available only here: only its digest is stored. */
export interface ClientWithSecret extends Client {
  readonly client_secret: string;
  readonly secret_id: string;
}

interface NewClient {
  readonly organisationId: string;
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly Scope[];
}

/** Creates a client with one secret, which has no end. */
export async function createClient(
  deployment: Deployment,
  { organisationId, name, scopes }: NewClient,
): Promise<ClientWithSecret> {
  const now = timestamp(new Date());
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
  if ((await putItem(deployment, 'ClientsTableName', putNewClient(client))) === 'refused') {
    throw new OperationError('failed', `A client ${quoted(client.client_id)} already exists.`);
  }
  return { ...withoutDigests(client), client_secret: value, secret_id: stored.secret_id };
}

/** @throws {OperationError} when there is no client with this id */
export async function getClient(deployment: Deployment, clientId: string): Promise<Client> {
  return withoutDigests(await getStoredClient(deployment, clientId));
}

/** @throws {StoredDataError} when the item is not as storage/README.md says */
export function clientOf(item: Item): Client {
  return withoutDigests(clientFromItem(item));
}

/**
 * Reads a client with the digests of its secrets.
 *
 * @throws {OperationError} when there is no client with this id
 */
export async function getStoredClient(deployment: Deployment, clientId: string): Promise<StoredClient> {
  requireIdentifier('client', clientId);
  const item = await readItem(deployment, 'ClientsTableName', readClient(clientId));
  if (item === undefined) {
    throw notFound('client', clientId);
  }
  return clientFromItem(item);
}

/** The statuses of a client, as lists show them: a client that was deleted is `deleted`, and no longer `revoked`. */
export const clientStatuses = ['active', 'revoked', 'deleted'] as const;

export type ClientStatus = (typeof clientStatuses)[number];

/** Selects clients. Without anything: all of them. */
export interface ClientSelection extends TimeRange {
  readonly organisationId?: string | undefined;
  readonly status?: ClientStatus | undefined;
  /** Part of the id or the name, in any case of letters. */
  readonly text?: string | undefined;
}

/** Lists clients, newest first. */
export function listClients(
  deployment: Deployment,
  selection: ClientSelection = {},
  options: ListOptions = {},
): Pages<Client> {
  return listNewest(deployment, readOf(selection), options);
}

/**
 * Reads a part of the clients, newest first.
 *
 * @throws {OperationError} when it begins at no place in a list
 */
export function readClients(
  deployment: Deployment,
  selection: ClientSelection,
  place: PortionPlace,
): Promise<Portion<Client>> {
  return readPortion(deployment, readOf(selection), place);
}

function readOf(selection: ClientSelection): NewestRead<Client> {
  const { partitionKey: idKey, indexes } = clientsTable;
  return {
    index: { table: 'ClientsTableName', ...indexes[0], idKey },
    partition: selection.organisationId,
    range: { from: selection.since, to: selection.until },
    entryOf: clientOf,
    matches: (client) => isSelected(client, selection),
  };
}

function isSelected(client: Client, selection: ClientSelection): boolean {
  const { status, text } = selection;
  return (
    isWithin(client.created_at, selection) &&
    (status === undefined || statusOf(client) === status) &&
    (text === undefined || includesText(text, client.client_id, client.name))
  );
}

function statusOf({ deleted_at, status }: Client): ClientStatus {
  return deleted_at === undefined ? status : 'deleted';
}

/** A client after a change, and whether the change was needed. */
interface ClientChange {
  readonly client: Client;
  readonly changed: boolean;
}

/** Stops issuing tokens: requests that start after this returns get none. */
export function revokeClient(deployment: Deployment, clientId: string): Promise<ClientChange> {
  return changeStatus(deployment, clientId, updateToRevoked(clientId, timestamp(new Date())));
}

/** Undoes a revocation. */
export function restoreClient(deployment: Deployment, clientId: string): Promise<ClientChange> {
  return changeStatus(deployment, clientId, updateToActive(clientId));
}

async function changeStatus(
  deployment: Deployment,
  clientId: string,
  update: ItemUpdate,
): Promise<ClientChange> {
  const client = await updateClient(deployment, clientId, update);
  return client === 'refused'
    ? { client: await getLiveClient(deployment, clientId), changed: false }
    : { client, changed: true };
}

/** @throws {OperationError} when there is no client with this id, or it is deleted */
async function getLiveClient(deployment: Deployment, clientId: string): Promise<Client> {
  const client = await getClient(deployment, clientId);
  requireNotDeleted('client', clientId, client);
  return client;
}

/** Replaces the scopes. New tokens get the new scopes immediately; tokens already issued keep theirs. */
export async function setScopes(
  deployment: Deployment,
  clientId: string,
  scopes: readonly Scope[],
): Promise<Client> {
  const client = await updateClient(deployment, clientId, updateScopes(clientId, scopes));
  return client === 'refused' ? getLiveClient(deployment, clientId) : client;
}

/** Replaces the display name. The name is for people only: nothing depends on it. */
export async function renameClient(deployment: Deployment, clientId: string, name: string): Promise<Client> {
  const client = await updateClient(deployment, clientId, updateClientName(clientId, name));
  return client === 'refused' ? getLiveClient(deployment, clientId) : client;
}

/**
 * Writes a change to a client.
 *
 * @returns the changed client, or `refused` when the condition of the update was not met
 */
export async function updateClient(
  deployment: Deployment,
  clientId: string,
  update: ItemUpdate,
): Promise<Client | 'refused'> {
  requireIdentifier('client', clientId);
  const item = await updateItem(deployment, 'ClientsTableName', update);
  return item === 'refused' ? item : clientOf(item);
}

function withoutDigests(client: StoredClient): Client {
  return { ...client, secrets: client.secrets.map(({ sha256: _, ...secret }) => secret) };
}
