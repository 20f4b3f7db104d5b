import { setTimeout as sleep } from 'node:timers/promises';
import { isIdentifier } from '../../../contract/identifiers.ts';
import type { Item, ItemPut, ItemRead, ItemUpdate } from '../../../storage/attributes.ts';
import { readClient } from '../../../storage/client.ts';
import { readFile } from '../../../storage/file.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import { readUpload } from '../../../storage/upload.ts';
import { OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

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

/** DynamoDB returns what it could not read, when it is busy or an answer would exceed 16 MB. */
const maximumBatchAttempts = 8;

/**
 * Reads items by their keys, consistently, and in the order of the keys. An item that does not exist is left out.
 *
 * @param keyName the partition key, which is a text
 * @param ids at most 100, each any number of times
 */
export async function readItems(
  deployment: Deployment,
  table: Table,
  keyName: string,
  ids: readonly string[],
): Promise<readonly Item[]> {
  const { BatchGetItemCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const tableName = deployment.outputs[table];
  const found = new Map<string, Item>();
  // DynamoDB refuses a key that is named twice (API reference, BatchGetItem).
  let keys = [...new Set(ids)].map((id): Item => ({ [keyName]: { S: id } }));
  for (let attempt = 0; keys.length > 0; attempt += 1) {
    if (attempt === maximumBatchAttempts) {
      throw new OperationError('failed', 'DynamoDB is too busy to read the list. Try again later.');
    }
    if (attempt > 0) {
      // What is asked again immediately is refused again (DynamoDB API reference, BatchGetItem).
      await sleep(50 * 2 ** attempt);
    }
    const request = { [tableName]: { Keys: keys, ConsistentRead: true } };
    const answer = await database.send(new BatchGetItemCommand({ RequestItems: request }));
    for (const item of answer.Responses?.[tableName] ?? []) {
      found.set(item[keyName]?.S ?? '', item);
    }
    keys = answer.UnprocessedKeys?.[tableName]?.Keys ?? [];
  }
  return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
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

const nouns = {
  client: { table: 'ClientsTableName', read: readClient },
  file: { table: 'FilesTableName', read: readFile },
  upload: { table: 'UploadsTableName', read: readUpload },
} as const;

type Noun = keyof typeof nouns;

/** @throws {OperationError} when there is no item with this id */
export async function getItem(deployment: Deployment, noun: Noun, id: string): Promise<Item> {
  requireIdentifier(noun, id);
  const { table, read } = nouns[noun];
  const item = await readItem(deployment, table, read(id));
  if (item === undefined) {
    throw notFound(noun, id);
  }
  return item;
}

/**
 * Changes an item. A change that its condition refuses was not needed.
 *
 * @throws {OperationError} when there is no item with this id, or it was deleted
 */
export async function changeItem(
  deployment: Deployment,
  noun: Noun,
  id: string,
  update: ItemUpdate,
): Promise<{ readonly item: Item; readonly changed: boolean }> {
  requireIdentifier(noun, id);
  const changed = await updateItem(deployment, nouns[noun].table, update);
  if (changed !== 'refused') {
    return { item: changed, changed: true };
  }
  const item = await getItem(deployment, noun, id);
  requireNotDeleted(noun, id, { deleted_at: item.deleted_at?.S });
  return { item, changed: false };
}

/** The error for an id that does not exist. */
export function notFound(noun: Noun, id: string): OperationError {
  const message = `There is no ${noun} ${quoted(id)}.`;
  return isIdentifier(id)
    ? new OperationError('not found', `${message} It may be the id of something else, or a name.`, {
        do: 'search',
        text: id,
      })
    : new OperationError('not found', message);
}

/**
 * Refuses a change of what was deleted.
 *
 * @throws {OperationError} saying when it was deleted
 */
export function requireNotDeleted(
  noun: Noun,
  id: string,
  { deleted_at }: { readonly deleted_at?: string | undefined },
): void {
  if (deleted_at !== undefined) {
    throw new OperationError(
      'failed',
      `The ${noun} ${quoted(id)} was deleted at ${deleted_at}. That cannot be undone. Nothing was changed.`,
    );
  }
}

/** What is not an identifier cannot exist. */
function requireIdentifier(noun: Noun, id: string): void {
  if (!isIdentifier(id)) {
    throw notFound(noun, id);
  }
}
