import { setTimeout as sleep } from 'node:timers/promises';
import { isIdentifier } from '../../../contract/identifiers.ts';
import { type Item, type ItemPut, type ItemUpdate, updateWithChange } from '../../../storage/attributes.ts';
import { batchGet, type SendBatchGet } from '../../../storage/batch-get.ts';
import { clientFromItem, clientsTable } from '../../../storage/client.ts';
import { fileFromItem, filesTable } from '../../../storage/file.ts';
import { organisationFromItem, organisationsTable } from '../../../storage/organisation.ts';
import { conditionalWrite } from '../../../storage/table.ts';
import { uploadFromItem, uploadsTable } from '../../../storage/upload.ts';
import { messageOf, OperationError } from '../errors.ts';
import { notFound } from '../search-text.ts';
import { quoted, shellWord } from '../text.ts';
import { dynamoDBClient } from './aws-clients.ts';
import { timeOf } from './aws-clock.ts';
import { callerOf } from './caller.ts';
import type { Deployment } from './deployment.ts';

/** Kinds of items in the tables of the service. `table` is the stack output with the name of the table. */
export const kinds = {
  client: { table: 'ClientsTableName', key: clientsTable.partitionKey, parse: clientFromItem },
  file: { table: 'FilesTableName', key: filesTable.partitionKey, parse: fileFromItem },
  organisation: {
    table: 'OrganisationsTableName',
    key: organisationsTable.partitionKey,
    parse: organisationFromItem,
  },
  upload: { table: 'UploadsTableName', key: uploadsTable.partitionKey, parse: uploadFromItem },
} as const;

export type Kind = keyof typeof kinds;

/**
 * Returns true if an item is valid. Adds the error of a damaged item to `damage`, with a command that reads
 * the item.
 */
export function isSound({ outputs, awsConfig, damage }: Deployment, kind: Kind, item: Item): boolean {
  const { table, key, parse } = kinds[kind];
  try {
    parse(item);
    return true;
  } catch (error) {
    const id = shellWord(JSON.stringify({ [key]: item[key] }));
    const endpoint = awsConfig.endpoint ? ` --endpoint-url ${awsConfig.endpoint}` : '';
    damage?.add(
      `${messageOf(error)}\naws dynamodb get-item --table-name ${outputs[table]} --key ${id}${endpoint}`,
    );
    return false;
  }
}

/** Names the first ten damaged items, with advice. Empty if there are none. */
export function describeDamage(damage: Deployment['damage']): string {
  return damage?.size
    ? `Damaged items: ${damage.size}. At most ten are listed.\n${[...damage].slice(0, 10).join('\n')}\nCorrect an item as described in docs/stored-items.md, or delete and restore it: docs/operations.md, "Restoring a table". Then try again.`
    : '';
}

/**
 * Rejects damaged items.
 *
 * @throws {OperationError} with the damaged items, if there are any
 */
export function throwDamage(damage: Deployment['damage']): void {
  if (damage?.size) {
    throw new OperationError(describeDamage(damage));
  }
}

/** Returns the client of DynamoDB, and the table and key of a kind. */
async function tableOf(deployment: Deployment, kind: Kind) {
  const { table, key } = kinds[kind];
  return { database: await dynamoDBClient(deployment), TableName: deployment.outputs[table], key };
}

/**
 * Reads an item.
 *
 * @returns undefined when there is no item with this id, or the id is not an identifier
 */
export async function readItem(deployment: Deployment, kind: Kind, id: string): Promise<Item | undefined> {
  if (!isIdentifier(id)) {
    return undefined;
  }
  const { database, TableName } = await tableOf(deployment, kind);
  const { Item } = await database.getItem({ TableName, Key: keyOf(kind, id), ConsistentRead: true });
  return Item;
}

const batchRetries = { firstWaitMilliseconds: 200, maxAttempts: 8, sleep, random: Math.random };

/**
 * Reads items by their keys, in the order of the keys. Leaves out missing and damaged items.
 *
 * @param ids at most 100 ids. The same id may appear several times
 * @param ConsistentRead default: true. With false, items may be a second old, for half the price
 */
export async function readItems(
  deployment: Deployment,
  kind: Kind,
  ids: readonly string[],
  ConsistentRead = true,
): Promise<readonly Item[]> {
  const { database, TableName, key } = await tableOf(deployment, kind);
  const keys = ids.map((id) => keyOf(kind, id));
  const send: SendBatchGet = (input) => database.batchGetItem(input);
  const items = await batchGet(TableName, keys, { ConsistentRead }, send, batchRetries);
  if (items === undefined) {
    throw new OperationError('DynamoDB is too busy to read the list. Try again later.');
  }
  const sound = items.filter((item) => isSound(deployment, kind, item));
  const found = new Map(sound.map((item) => [item[key]?.S, item]));
  return ids.map((id) => found.get(id)).filter((item) => item !== undefined);
}

// Operators write items only with these functions, which record the caller in each changed item.

/**
 * Writes an item.
 *
 * @param isNew default: true. False for an item that is restored
 * @returns the written item, or `rejected` when the condition was not met
 */
export async function putItem(deployment: Deployment, kind: Kind, put: ItemPut, isNew = true) {
  const { database, TableName } = await tableOf(deployment, kind);
  const change = await changeNow(deployment);
  const Item: Item = { ...put.Item, ...change, ...(isNew && { created_by: change.updated_by }) };
  const outcome = await conditionalWrite(database.putItem({ TableName, ...put, Item }));
  return outcome === 'rejected' ? outcome : Item;
}

/**
 * Updates an item.
 *
 * @returns the changed item, or `rejected` when the condition was not met and the item is unchanged
 */
export async function updateItem(
  deployment: Deployment,
  kind: Kind,
  update: ItemUpdate,
): Promise<Item | 'rejected'> {
  const { database, TableName } = await tableOf(deployment, kind);
  const change = await changeNow(deployment);
  const write = database.updateItem({
    TableName,
    ...updateWithChange(update, change),
    ReturnValues: 'ALL_NEW',
  });
  const outcome = await conditionalWrite(write);
  return outcome === 'rejected' ? outcome : (outcome.Attributes ?? {});
}

async function changeNow(deployment: Deployment) {
  return { updated_by: { S: await callerOf(deployment) }, updated_at: { S: timeOf(deployment) } };
}

/**
 * Reads an item. The item must exist.
 *
 * @throws {OperationError} when there is no item with this id, or it is damaged
 */
export async function getItem(deployment: Deployment, kind: Kind, id: string): Promise<Item> {
  const item = await readItem(deployment, kind, id);
  if (item === undefined) {
    throw notFound(kind, id);
  }
  const damage = new Set<string>();
  isSound({ ...deployment, damage }, kind, item);
  throwDamage(damage);
  return item;
}

/** An item after a change. */
export interface Change {
  readonly item: Item;
  /** True if the change was needed. */
  readonly changed: boolean;
}

/**
 * Changes an item. The condition rejects a change that is not needed.
 *
 * @throws {OperationError} when there is no item with this id, or the item was deleted
 */
export async function changeItem(
  deployment: Deployment,
  kind: Kind,
  id: string,
  update: ItemUpdate,
): Promise<Change> {
  const changed = isIdentifier(id) ? await updateItem(deployment, kind, update) : 'rejected';
  if (changed !== 'rejected') {
    return { item: changed, changed: true };
  }
  const item = await getItem(deployment, kind, id);
  requireNotDeleted(kind, id, kinds[kind].parse(item));
  return { item, changed: false };
}

/**
 * Rejects a change of a deleted item.
 *
 * @throws {OperationError} with the time of the deletion
 */
export function requireNotDeleted(
  kind: Kind,
  id: string,
  { deleted_at, erased_at }: { readonly deleted_at?: string; readonly erased_at?: string },
): void {
  if (deleted_at !== undefined) {
    throw new OperationError(
      `The ${kind} ${quoted(id)} was deleted at ${deleted_at}. Nothing was changed.`,
      ...(kind === 'upload' || erased_at ? [] : [{ noun: kind, verb: 'undelete', id } as const]),
    );
  }
}

/** Returns the key of an item. */
export function keyOf(kind: Kind, id: string): Item {
  return { [kinds[kind].key]: { S: id } };
}
