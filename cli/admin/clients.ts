import { randomBytes } from 'node:crypto';
import type { DynamoDBClient, UpdateItemCommandInput } from '@aws-sdk/client-dynamodb';
import type { Scope } from '../../lambdas/shared/contract.ts';
import { CommandError } from '../errors.ts';
import { isIdentifier, newIdentifier } from '../identifiers.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import {
  type Client,
  type ClientStatus,
  clientFromItem,
  clientToItem,
  type StoredClient,
  scopesToAttribute,
  withoutDigests,
} from './client-item.ts';
import { conditionalWrite } from './conditional-write.ts';
import type { Deployment } from './deployment.ts';
import { timestamp } from './items.ts';
import { newClientSecret } from './new-client-secret.ts';

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
  const { value, stored } = newClientSecret(now);
  const client: StoredClient = {
    client_id: newIdentifier('client', randomBytes),
    organisation_id: organisationId,
    name,
    scopes,
    status: 'active',
    secrets: [stored],
    created_at: now,
  };
  await putNewClient(deployment, client);
  return { ...withoutDigests(client), client_secret: value, secret_id: stored.secret_id };
}

async function putNewClient(deployment: Deployment, client: StoredClient): Promise<void> {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const outcome = await conditionalWrite(
    database.send(
      new PutItemCommand({
        TableName: deployment.outputs.ClientsTableName,
        Item: clientToItem(client),
        ConditionExpression: 'attribute_not_exists(client_id)',
      }),
    ),
  );
  if (outcome === 'refused') throw new CommandError(`A client ${quoted(client.client_id)} exists already.`);
}

/** @throws {CommandError} when there is no client with this id */
export async function getClient(deployment: Deployment, clientId: string): Promise<Client> {
  return withoutDigests(await readClient(deployment, clientId));
}

/** The client with the digests of its secrets, as the table holds it now. */
export async function readClient(deployment: Deployment, clientId: string): Promise<StoredClient> {
  if (!isIdentifier(clientId)) throw noSuchClient(clientId);
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const { Item } = await database.send(
    new GetItemCommand({
      TableName: deployment.outputs.ClientsTableName,
      Key: { client_id: { S: clientId } },
      ConsistentRead: true,
    }),
  );
  if (Item === undefined) throw noSuchClient(clientId);
  return clientFromItem(Item);
}

/** Every client, by organisation and age. */
export async function listClients(deployment: Deployment): Promise<readonly Client[]> {
  const { paginateScan } = await import('@aws-sdk/client-dynamodb');
  const client: DynamoDBClient = await dynamoDBClient(deployment);
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
  if (a === b) return 0;
  return a < b ? -1 : 1;
}

/** A client after a change, and whether there was anything to change. */
export interface ClientChange {
  readonly client: Client;
  readonly changed: boolean;
}

/** Ends issuing: no token is issued by any request that starts after this returned. */
export function revokeClient(deployment: Deployment, clientId: string): Promise<ClientChange> {
  return changeStatus(deployment, clientId, 'revoked', {
    UpdateExpression: 'SET #status = :to, revoked_at = :now',
    ExpressionAttributeValues: { ':now': { S: timestamp(new Date()) } },
  });
}

/** Undoes a revocation. */
export function restoreClient(deployment: Deployment, clientId: string): Promise<ClientChange> {
  return changeStatus(deployment, clientId, 'active', {
    UpdateExpression: 'SET #status = :to REMOVE revoked_at',
  });
}

async function changeStatus(
  deployment: Deployment,
  clientId: string,
  to: ClientStatus,
  update: Pick<UpdateItemCommandInput, 'UpdateExpression' | 'ExpressionAttributeValues'>,
): Promise<ClientChange> {
  const client = await updateClient(deployment, clientId, {
    UpdateExpression: update.UpdateExpression,
    ConditionExpression: '#status <> :to',
    ExpressionAttributeNames: { '#status': 'status' },
    ExpressionAttributeValues: { ...update.ExpressionAttributeValues, ':to': { S: to } },
  });
  if (client !== 'refused') return { client, changed: true };
  return { client: await getClient(deployment, clientId), changed: false };
}

/** Replaces the scopes. New tokens follow at once; tokens already issued keep the scopes that they carry. */
export async function setScopes(
  deployment: Deployment,
  clientId: string,
  scopes: readonly Scope[],
): Promise<Client> {
  const client = await updateClient(deployment, clientId, {
    UpdateExpression: 'SET scopes = :scopes',
    ExpressionAttributeValues: { ':scopes': scopesToAttribute(scopes) },
  });
  if (client === 'refused') throw noSuchClient(clientId);
  return client;
}

type ClientUpdate = Pick<
  UpdateItemCommandInput,
  'UpdateExpression' | 'ConditionExpression' | 'ExpressionAttributeNames' | 'ExpressionAttributeValues'
>;

/** Changes a client that exists, if the update's own condition holds as well. */
export async function updateClient(
  deployment: Deployment,
  clientId: string,
  update: ClientUpdate,
): Promise<Client | 'refused'> {
  if (!isIdentifier(clientId)) throw noSuchClient(clientId);
  const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const conditions = ['attribute_exists(client_id)', update.ConditionExpression].filter(Boolean);
  const outcome = await conditionalWrite(
    database.send(
      new UpdateItemCommand({
        ...update,
        TableName: deployment.outputs.ClientsTableName,
        Key: { client_id: { S: clientId } },
        ConditionExpression: conditions.join(' AND '),
        ReturnValues: 'ALL_NEW',
      }),
    ),
  );
  return outcome === 'refused' ? outcome : withoutDigests(clientFromItem(outcome.Attributes ?? {}));
}

function noSuchClient(clientId: string): CommandError {
  return new CommandError(`There is no client ${quoted(clientId)}.`);
}
