import type { Item } from '../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { merge } from './merge.ts';
import { type Compare, compareNewest, inOrder, type ListOptions } from './newest-first.ts';
import { type Condition, filterPages, type Pages, readPages, textIs } from './pages.ts';
import { findPartitions, isRefused, type PartitionedIndex } from './partitions.ts';
import { readItems, type Table } from './tables.ts';

/** What to list, and how to find it in the index and in the table. */
export interface NewestRead<Entry> {
  /** Its sort key gives the order of time within each partition. */
  readonly index: PartitionedIndex;
  /** List only this partition of the index. Default: all of them. */
  readonly partition?: string | undefined;
  /** At most one condition, on the sort key. It may let more through than `matches`. */
  readonly range: readonly Condition[];
  readonly entryOf: (item: Item) => Entry;
  /** Whether an entry belongs into the list. */
  readonly matches: (entry: Entry) => boolean;
  /** By time, newest first, and then by id: the order of the index. */
  readonly compare: Compare<Entry>;
  /** All entries that match, in any order, from the whole table. */
  readonly scan: () => Pages<Entry>;
}

/** A table with no more items is read whole, with one consistent read: that is faster than an index, and misses nothing. */
const smallTable = 500;

/** So many of the newest entries are looked for in the index. Beyond that, to read the whole table costs less. */
const maximumExamined = 1000;

/** So many items of a table are read by their keys at the same time. */
const partLength = 100;

/**
 * Lists entries, newest first, without reading the whole table before the first one is known. An index has the newest of
 * each partition, and these are merged. What is not among the newest thousand comes from a scan, which is sorted.
 *
 * The table is scanned from the beginning if it has too many partitions, or does not have the index: a stack of an
 * earlier version, or one whose index is still being built.
 */
export async function* newestByIndex<Entry extends object>(
  deployment: Deployment,
  read: NewestRead<Entry>,
  options: ListOptions,
): AsyncGenerator<readonly Entry[]> {
  const all = await readSmallTable(deployment, read.index.table, options);
  if (all !== undefined) {
    const entries = all.map(read.entryOf).filter(read.matches);
    yield* inOrder(onePage(entries), read.compare, options);
    return;
  }
  const { partition } = read;
  const partitions = partition === undefined ? await findPartitions(deployment, read.index) : [partition];
  if (partitions === undefined) {
    yield* inOrder(read.scan(), read.compare, options);
    return;
  }
  yield* orElse(fromIndex(deployment, read, partitions, options), () =>
    inOrder(read.scan(), read.compare, options),
  );
}

/** All items of a table, if it is small. */
async function readSmallTable(
  deployment: Deployment,
  table: Table,
  { progress }: ListOptions,
): Promise<readonly Item[] | undefined> {
  const { ScanCommand } = await import('@aws-sdk/client-dynamodb');
  const database = await dynamoDBClient(deployment);
  const scan = { TableName: deployment.outputs[table], ConsistentRead: true, Limit: smallTable };
  const { Items = [], LastEvaluatedKey } = await database.send(new ScanCommand(scan));
  progress?.(Items.length);
  return LastEvaluatedKey === undefined ? Items : undefined;
}

async function* onePage<Entry>(entries: readonly Entry[]): Pages<Entry> {
  yield entries;
}

/** The newest entries as the index has them, then the others from a sorted scan. */
async function* fromIndex<Entry extends object>(
  deployment: Deployment,
  read: NewestRead<Entry>,
  partitions: readonly string[],
  options: ListOptions,
): Pages<Entry> {
  const limit = options.limit ?? Number.POSITIVE_INFINITY;
  // One partition is in order by itself, however long it is.
  const most = read.partition === undefined ? maximumExamined : Number.POSITIVE_INFINITY;
  const wanted = Math.min(limit, maximumExamined);
  const keys = indexedItems(deployment, read, partitions, pageSizeFor(wanted, partitions.length));
  let [given, examined] = [0, 0];
  let last: Entry | undefined;
  for await (const part of keys) {
    for await (const items of wholeItems(deployment, read.index, part)) {
      const entries = items.map(read.entryOf);
      last = entries.at(-1) ?? last;
      const matching = entries.filter(read.matches).slice(0, limit - given);
      given += matching.length;
      if (matching.length > 0) {
        yield matching;
      }
    }
    examined += part.length;
    if (given >= limit) {
      return;
    }
    if (examined >= most) {
      yield* inOrder(after(read.scan(), last, read.compare), read.compare, {
        ...options,
        limit: rest(limit, given),
      });
      return;
    }
  }
}

function rest(limit: number, given: number): number | undefined {
  return limit === Number.POSITIVE_INFINITY ? undefined : limit - given;
}

/** Twice the fair share of a partition: with a few reads more, one that has most of the newest is served too. */
function pageSizeFor(wanted: number, partitions: number): number {
  return Math.min(wanted, Math.max(10, Math.ceil((2 * wanted) / partitions)));
}

/** The items of the index, newest first, in parts. They have only what the index holds. */
function indexedItems(
  deployment: Deployment,
  { index, range }: Pick<NewestRead<object>, 'index' | 'range'>,
  partitions: readonly string[],
  pageSize: number,
): Pages<Item> {
  const { table, name, partitionKey, sortKey, idKey } = index;
  const lists = partitions.map((partition) => {
    const key = [...textIs(partitionKey, partition), ...range];
    const pages = readPages(deployment, { table, index: name, key, filter: [], pageSize });
    return sortKey === idKey ? pages : withTiesInOrder(pages, index);
  });
  return merge(lists, newestItem(index), partLength);
}

function newestItem({ sortKey, idKey }: PartitionedIndex): Compare<Item> {
  return compareNewest(
    (item) => item[sortKey]?.S ?? '',
    (item) => item[idKey]?.S ?? '',
  );
}

/** An index has no order for items with the same sort key. They are held back until the last of them was read. */
async function* withTiesInOrder(pages: Pages<Item>, index: PartitionedIndex): Pages<Item> {
  const compare = newestItem(index);
  const timeOf = (item: Item | undefined) => item?.[index.sortKey]?.S;
  let held: Item[] = [];
  for await (const page of pages) {
    const items = [...held, ...page];
    const oldest = timeOf(items.at(-1));
    const firstOfOldest = items.findIndex((item) => timeOf(item) === oldest);
    held = items.slice(firstOfOldest);
    if (firstOfOldest > 0) {
      yield items.slice(0, firstOfOldest).sort(compare);
    }
  }
  if (held.length > 0) {
    yield held.sort(compare);
  }
}

/** The items of the table. They are read consistently: their state is that of this moment. */
function wholeItems(
  deployment: Deployment,
  { table, idKey }: PartitionedIndex,
  keys: readonly Item[],
): Pages<Item> {
  const ids = keys.flatMap((item) => item[idKey]?.S ?? []);
  return readItems(deployment, table, idKey, ids);
}

/** The entries that come after `last` in the order. */
function after<Entry>(pages: Pages<Entry>, last: Entry | undefined, compare: Compare<Entry>): Pages<Entry> {
  return last === undefined ? pages : filterPages(pages, (entry) => compare(last, entry) < 0);
}

/** Another list, if DynamoDB refuses the reads of the first one before it has any entry. */
async function* orElse<Entry>(
  pages: Pages<Entry>,
  otherwise: () => Pages<Entry>,
): AsyncGenerator<readonly Entry[]> {
  let started = false;
  try {
    for await (const page of pages) {
      started = true;
      yield page;
    }
  } catch (error) {
    if (started || !isRefused(error)) {
      throw error;
    }
    yield* otherwise();
  }
}
