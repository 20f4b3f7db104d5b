import { randomBytes } from 'node:crypto';
import { isIdentifier, newIdentifier } from '../../contract/identifiers.ts';
import type { Scope } from '../../contract/scopes.ts';
import { type ItemUpdate, timestamp } from '../../storage/attributes.ts';
import {
  clientFromItem,
  putNewClient,
  readClient,
  type StoredClient,
  type StoredSecret,
  updateScopes,
  updateToActive,
  updateToRevoked,
} from '../../storage/client.ts';
import { newClientSecret } from '../../storage/client-secret.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';
import { putItem, readItem, updateItem } from './tables.ts';

/** What may be known of a client secret once it has been shown. */
export type ClientSecret = Omit<StoredSecret, 'sha256'>;

/** A client as the command line tells of it. */
export interface Client extends Omit<StoredClient, 'secrets'> {
  readonly secrets: readonly ClientSecret[];
}

/** A client with a secret that was just made. The secret is known here only: it is stored as a digest. */
export interface ClientWithSecret extends Client {
  readonly client_secret: string;
  readonly secret_id: string;
}

export interface NewClient {
  readonly organisationId: string;
  readonly name: string;
  /** At least one. */
  readonly scopes: readonly Scope[];
}

/** Makes a client with one secret that has no end. */
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
    throw new CommandError(`A client ${quoted(client.client_id)} exists already.`);
  }
  return { ...withoutDigests(client), client_secret: value, secret_id: stored.secret_id };
}

/** @throws {CommandError} when there is no client with this id */
export async function getClient(deployment: Deployment, clientId: string): Promise<Client> {
  return withoutDigests(await getStoredClient(deployment, clientId));
}

/**
 * The client with the digests of its secrets, as the table holds it now.
 *
 * @throws {CommandError} when there is no client with this id
 */
export async function getStoredClient(deployment: Deployment, clientId: string): Promise<StoredClient> {
  requireIdentifier(clientId);
  const item = await readItem(deployment, 'ClientsTableName', readClient(clientId));
  if (item === undefined) {
    throw noSuchClient(clientId);
  }
  return clientFromItem(item);
}

/** Every client, by organisation and age. */
export async function listClients(deployment: Deployment): Promise<readonly Client[]> {
  const { paginateScan } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const clients: Client[] = [];
  const pages = paginateScan(
    { client },
    { TableName: deployment.outputs.ClientsTableName, ConsistentRead: true },
  );
  for await (const { Items = [] } of pages) {
    clients.push(...Items.map((item) => withoutDigests(clientFromItem(item))));
  }
  return clients.sort((a, b) => compareText(sortKey(a), sortKey(b)));
}

function sortKey(client: Client): string {
  return `${client.organisation_id} ${client.created_at} ${client.client_id}`;
}

function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

/** A client after a change, and whether there was anything to change. */
export interface ClientChange {
  readonly client: Client;
  readonly changed: boolean;
}

/** Ends issuing: no token is issued by any request that starts after this returned. */
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
    ? { client: await getClient(deployment, clientId), changed: false }
    : { client, changed: true };
}

/** Replaces the scopes. New tokens follow immediately; tokens already issued keep the scopes that they carry. */
export async function setScopes(
  deployment: Deployment,
  clientId: string,
  scopes: readonly Scope[],
): Promise<Client> {
  const client = await updateClient(deployment, clientId, updateScopes(clientId, scopes));
  if (client === 'refused') {
    throw noSuchClient(clientId);
  }
  return client;
}

/**
 * Writes a change of a client.
 *
 * @returns the client as it is afterwards, or `refused` when the condition of the update did not hold
 */
export async function updateClient(
  deployment: Deployment,
  clientId: string,
  update: ItemUpdate,
): Promise<Client | 'refused'> {
  requireIdentifier(clientId);
  const item = await updateItem(deployment, 'ClientsTableName', update);
  return item === 'refused' ? item : withoutDigests(clientFromItem(item));
}

function withoutDigests(client: StoredClient): Client {
  return { ...client, secrets: client.secrets.map(({ sha256: _, ...secret }) => secret) };
}

function requireIdentifier(clientId: string): void {
  if (!isIdentifier(clientId)) {
    throw noSuchClient(clientId);
  }
}

function noSuchClient(clientId: string): CommandError {
  return new CommandError(`There is no client ${quoted(clientId)}.`);
}
