import { isIdentifier } from '../../contract/identifiers.ts';
import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../storage/attributes.ts';
import { conditionalWrite } from '../../storage/table.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { CommandError } from '../errors.ts';
import { quoted } from '../text.ts';

/** A table, by the stack output with its name. */
export type Table = 'ClientsTableName' | 'FilesTableName' | 'UploadsTableName';

export async function readItem(
  deployment: Deployment,
  table: Table,
  read: ItemRead,
): Promise<Item | undefined> {
  const { GetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const { Item } = await database.send(new GetItemCommand({ TableName: deployment.outputs[table], ...read }));
  return Item;
}

/** @returns `refused` when the condition was not met and nothing was written */
export async function putItem(
  deployment: Deployment,
  table: Table,
  put: ItemPut,
): Promise<'written' | 'refused'> {
  const { PutItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const write = database.send(new PutItemCommand({ TableName: deployment.outputs[table], ...put }));
  return (await conditionalWrite(write)) === 'refused' ? 'refused' : 'written';
}

/** @returns the changed item, or `refused` when the condition was not met and nothing was changed */
export async function updateItem(
  deployment: Deployment,
  table: Table,
  update: ItemUpdate,
): Promise<Item | 'refused'> {
  const { UpdateItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const TableName = deployment.outputs[table];
  const write = database.send(new UpdateItemCommand({ TableName, ...update, ReturnValues: 'ALL_NEW' }));
  const outcome = await conditionalWrite(write);
  return outcome === 'refused' ? outcome : (outcome.Attributes ?? {});
}

type Noun = 'client' | 'file' | 'upload';

/** The error for an id that does not exist. */
export function notFound(noun: Noun, id: string): CommandError {
  return new CommandError(`There is no ${noun} ${quoted(id)}.`);
}

/**
 * Refuses a change of what was deleted.
 *
 * @throws {CommandError} saying when it was deleted
 */
export function requireNotDeleted(
  noun: Noun,
  id: string,
  { deleted_at }: { readonly deleted_at?: string },
): void {
  if (deleted_at !== undefined) {
    throw new CommandError(
      `The ${noun} ${quoted(id)} was deleted at ${deleted_at}. That cannot be undone. Nothing was changed.`,
    );
  }
}

/**
 * Checks the id of something that should exist.
 *
 * @throws {CommandError} when it is not an identifier, and so cannot exist
 */
export function requireIdentifier(noun: Noun, id: string): void {
  if (!isIdentifier(id)) {
    throw notFound(noun, id);
  }
}
