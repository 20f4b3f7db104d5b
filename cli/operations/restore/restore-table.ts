import type { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import type { Item, ItemPut } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../../deployment/aws-clients.ts';
import type { Deployment } from '../../deployment/deployment.ts';
import { putItem, readItem } from '../tables.ts';
import { changedAttributes, isStill } from './compare-items.ts';
import { currentContent } from './current-content.ts';
import { isReadable, type Restorable, restorable } from './restored-table.ts';

/** How an item of the restored table compares with the service's table. */
export type ItemKind =
  /** The service has no such item: it is written. */
  | 'new'
  /** The service's item cannot be read by the service, and the restored one can: it is replaced. */
  | 'damaged'
  /** They differ, and both can be read: the service's item is kept, or replaced with `--overwrite`. */
  | 'changed'
  /** They differ, and the service's item was deleted, or its upload ended, since the point in time: it is kept. */
  | 'newer'
  /** The service's item changed while it was to be written: it is kept. */
  | 'changed_meanwhile'
  /** The restored item cannot be read by the service: it is left out. */
  | 'unreadable';

/** An item that is not the same in both tables. */
export interface Difference {
  readonly id: string;
  readonly kind: ItemKind;
  /** Names of the attributes that differ, never their values. */
  readonly attributes: readonly string[];
  /** Whether it is written to the service's table. In a dry run: whether it would be. */
  readonly written: boolean;
}

/** What a restore did, or would do. */
export type RestoreCounts = { readonly [Kind in ItemKind]: number } & {
  readonly same: number;
  readonly written: number;
  /** Items of the service's table that the restored one does not have. They are kept. */
  readonly only_in_service: number;
};

export interface RestoreOptions {
  readonly fromTable: string;
  readonly into: Restorable;
  readonly dryRun: boolean;
  /** Whether items that differ are replaced too. */
  readonly overwrite: boolean;
  /** Takes each difference as it is found. */
  readonly found: (difference: Difference) => Promise<void> | void;
  readonly progress: (done: number) => void;
}

/** So many items are compared at the same time. Each takes one to three short calls. */
const groupSize = 16;

/**
 * Copies the items of a restored table into the service's table. The restored table is read page by page, so memory is
 * bounded. Each write has the condition that the service's item still is as it was compared. An item that was written
 * is the same in both tables afterwards, so the restore can be repeated after a crash at any point.
 */
export async function restoreTable(deployment: Deployment, options: RestoreOptions): Promise<RestoreCounts> {
  const counts = {
    new: 0,
    damaged: 0,
    changed: 0,
    newer: 0,
    changed_meanwhile: 0,
    unreadable: 0,
    same: 0,
    written: 0,
  };
  const database = await dynamoDBClient(deployment);
  const before = await countItems(database, deployment.outputs[restorable[options.into].table]);
  let done = 0;
  let inBoth = 0;
  for await (const page of scanPages(database, options.fromTable)) {
    for (let start = 0; start < page.length; start += groupSize) {
      const group = page.slice(start, start + groupSize);
      const results = await Promise.all(group.map((item) => restoreItem(deployment, item, options)));
      for (const { existed, difference } of results) {
        inBoth += existed ? 1 : 0;
        counts[difference?.kind ?? 'same'] += 1;
        if (difference !== undefined) {
          counts.written += difference.written ? 1 : 0;
          await options.found(difference);
        }
      }
      done += group.length;
      options.progress(done);
    }
  }
  return { ...counts, only_in_service: Math.max(before - inBoth, 0) };
}

interface ItemResult {
  /** Whether the service's table had the item. */
  readonly existed: boolean;
  readonly difference?: Difference;
}

async function restoreItem(
  deployment: Deployment,
  restored: Item,
  options: RestoreOptions,
): Promise<ItemResult> {
  const { table, key } = restorable[options.into];
  const present = await readItem(deployment, table, {
    Key: { [key]: restored[key] ?? { S: '' } },
    ConsistentRead: true,
  });
  const existed = present !== undefined;
  const readable = present !== undefined && isReadable(options.into, present) ? present : undefined;
  const wanted = options.into === 'files' ? await currentContent(deployment, restored, readable) : restored;
  const attributes = changedAttributes(present ?? {}, wanted);
  if (attributes.length === 0) {
    return { existed };
  }
  const kind = kindOf(options.into, wanted, present);
  const id = restored[key]?.S ?? '';
  const writes = kind === 'new' || kind === 'damaged' || (kind === 'changed' && options.overwrite);
  if (!writes || options.dryRun) {
    return { existed, difference: { id, kind, attributes, written: writes } };
  }
  const outcome = await putItem(deployment, table, putInstead(key, wanted, present));
  return outcome === 'written'
    ? { existed, difference: { id, kind, attributes, written: true } }
    : { existed, difference: { id, kind: 'changed_meanwhile', attributes, written: false } };
}

function kindOf(into: Restorable, wanted: Item, present: Item | undefined): ItemKind {
  if (!isReadable(into, wanted)) {
    return 'unreadable';
  }
  if (present === undefined) {
    return 'new';
  }
  if (!isReadable(into, present)) {
    return 'damaged';
  }
  return hasEnded(wanted, present) ? 'newer' : 'changed';
}

/** Whether the service's item has got an end that the restored one does not have. That is never taken back. */
function hasEnded(wanted: Item, present: Item): boolean {
  const ends = ['deleted_at', 'superseded_at', 'completed_at', 'cancelled_at'];
  return ends.some((name) => present[name] !== undefined && wanted[name] === undefined);
}

/** Puts an item in place of another. Refused when the other has changed, or now exists. */
function putInstead(key: string, wanted: Item, present: Item | undefined): ItemPut {
  const condition =
    present === undefined
      ? {
          ConditionExpression: 'attribute_not_exists(#key)',
          ExpressionAttributeNames: { '#key': key },
        }
      : isStill(present, Object.keys(wanted));
  return { Item: wanted, ...condition };
}

async function* scanPages(database: DynamoDBClient, tableName: string): AsyncGenerator<readonly Item[]> {
  const { paginateScan } = await import('@aws-sdk/client-dynamodb');
  for await (const { Items = [] } of paginateScan(
    { client: database },
    { TableName: tableName, ConsistentRead: true },
  )) {
    yield Items;
  }
}

async function countItems(database: DynamoDBClient, tableName: string): Promise<number> {
  const { paginateScan } = await import('@aws-sdk/client-dynamodb');
  let count = 0;
  for await (const { Count = 0 } of paginateScan(
    { client: database },
    { TableName: tableName, ConsistentRead: true, Select: 'COUNT' },
  )) {
    count += Count;
  }
  return count;
}
