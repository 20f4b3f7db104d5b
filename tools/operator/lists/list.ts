import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { readItems } from '../deployment/items.ts';
import { OperationError } from '../errors.ts';
import { afterEveryKey, findPartitions, type PartitionedIndex } from './partitions.ts';

/** A list, page by page. A page is read only when it is asked for, so that one page at a time is in memory. */
export type Pages<Entry> = AsyncIterable<readonly Entry[]>;

/** Selects by time. */
export interface TimeRange {
  /** From this time on. */
  readonly since?: string | undefined;
  /** Before this time. */
  readonly until?: string | undefined;
}

/** Whether a time is in the range. */
export function isWithin(time: string, { since, until }: TimeRange): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** What to list. An index has the items of each organisation or file in the order of time. */
export interface ListRead<Entry> {
  readonly index: PartitionedIndex;
  /** Reads only this partition of the index. Default: all of them. */
  readonly partition?: string | undefined;
  /** The least and the greatest value of the sort key that can match. Default: any. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether the item of an index can match. Those that cannot are not read whole. Default: all can. */
  readonly canMatch?: (indexed: Item) => boolean;
  readonly entryOf: (item: Item) => Entry;
  /** Whether an entry belongs into the list. */
  readonly matches: (entry: Entry) => boolean;
}

export interface ListOptions {
  /** The most entries, the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** Called after each part with the number of items looked at so far. */
  readonly progress?: ((items: number) => void) | undefined;
}

/** A part of a list: what a page of a console shows, and where the next one begins. */
export interface Portion<Entry> {
  readonly entries: readonly Entry[];
  /** The `after` of the next portion. Undefined at the end of the list. */
  readonly next: string | undefined;
  /** Whether time was up before there was enough: `next` goes on where the search stopped. */
  readonly isCutShort: boolean;
  /** How many items were looked at, also those that did not match. */
  readonly read: number;
}

export interface PortionPlace {
  /** The `next` of the portion before. Default: from the newest on. */
  readonly after?: string | undefined;
  /** The most entries. */
  readonly enough: number;
  /** A filter that few entries match must not let a page read the whole table. Default: never. */
  readonly isTimeUp?: () => boolean;
}

/**
 * Makes the two ways to read the lists of one kind, newest first: page by page, and a portion from a place on. An index is
 * eventually consistent, so what was written less than a second ago may be missing; what is listed has its present state.
 *
 * @param readOf what a selection reads
 */
export function listsOf<Selection, Entry>(readOf: (selection: Selection) => ListRead<Entry>) {
  return {
    list: (deployment: Deployment, selection: Selection, options: ListOptions = {}): Pages<Entry> =>
      listNewest(deployment, readOf(selection), options),
    /** @throws {OperationError} when the portion begins at no place in a list */
    read: (deployment: Deployment, selection: Selection, place: PortionPlace): Promise<Portion<Entry>> =>
      readPortion(deployment, readOf(selection), place),
  };
}

async function* listNewest<Entry>(
  deployment: Deployment,
  read: ListRead<Entry>,
  { limit = Number.POSITIVE_INFINITY, progress }: ListOptions,
): AsyncGenerator<readonly Entry[]> {
  let [left, examined] = [limit, 0];
  for await (const part of partsOf(deployment, read)) {
    const entries = part.items.map(read.entryOf).filter(read.matches).slice(0, left);
    examined += part.examined;
    left -= entries.length;
    progress?.(examined);
    if (entries.length > 0) {
      yield entries;
    }
    if (left <= 0) {
      return;
    }
  }
}

async function readPortion<Entry>(
  deployment: Deployment,
  read: ListRead<Entry>,
  { after, enough, isTimeUp = () => false }: PortionPlace,
): Promise<Portion<Entry>> {
  const entries: Entry[] = [];
  let examined = 0;
  let next: string | undefined;
  for await (const part of partsOf(deployment, read, after)) {
    examined += part.examined;
    for (const item of part.items) {
      const entry = read.entryOf(item);
      if (!read.matches(entry)) {
        continue;
      }
      if (entries.length === enough) {
        return { entries, next, isCutShort: false, read: examined };
      }
      entries.push(entry);
      next = placeOf(item, read.index);
    }
    if (isTimeUp()) {
      return { entries, next: part.end, isCutShort: true, read: examined };
    }
  }
  return { entries, next: undefined, isCutShort: false, read: examined };
}

/** Some of the items of an index, whole. */
interface Part {
  readonly items: readonly Item[];
  /** So many items of the index were looked at. */
  readonly examined: number;
  /** The place of the last of them. */
  readonly end: string;
}

/** As many as DynamoDB reads by their keys in one request. */
const partLength = 100;

async function* partsOf<Entry>(
  deployment: Deployment,
  { index, partition, from, to, canMatch = () => true }: ListRead<Entry>,
  after?: string,
): AsyncGenerator<Part> {
  const start = after === undefined ? undefined : parsePlace(after, index);
  const ends = [to, start?.[index.sortKey]?.S].filter((end) => end !== undefined).sort();
  const range = { from, to: ends[0] };
  const partitions = partition === undefined ? await findPartitions(deployment, index) : [partition];
  // Few of each while there are many, which bounds what is in memory.
  const pageSize = Math.max(25, Math.min(250, Math.ceil(2500 / partitions.length)));
  const lists = partitions.map((value) => queryPages(deployment, index, value, { ...range, pageSize }));
  const compare = newestFirst(index);
  for await (const keys of inParts(merged(lists, index), partLength)) {
    const others = start === undefined ? keys : keys.filter((item) => compare(start, item) < 0);
    const last = others.at(-1);
    if (last !== undefined) {
      const ids = others.filter(canMatch).flatMap((item) => item[index.idKey]?.S ?? []);
      const items = await readItems(deployment, index.table, index.idKey, ids);
      yield { items, examined: others.length, end: placeOf(last, index) };
    }
  }
}

interface QueryRange extends Pick<ListRead<object>, 'from' | 'to'> {
  readonly pageSize: number;
}

/** Sorts before every sort key. */
const beforeEveryKey = ' ';

/** Reads a partition of an index from its end. */
async function* queryPages(
  deployment: Deployment,
  { table, name, partitionKey, sortKey }: PartitionedIndex,
  partition: string,
  { from = beforeEveryKey, to = afterEveryKey, pageSize }: QueryRange,
): Pages<Item> {
  // DynamoDB refuses a range that ends before it begins.
  if (from > to) {
    return;
  }
  const { paginateQuery } = await import('@aws-sdk/client-dynamodb');
  const client = await dynamoDBClient(deployment);
  const query = {
    TableName: deployment.outputs[table],
    IndexName: name,
    ScanIndexForward: false,
    Limit: pageSize,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': { S: partition }, ':from': { S: from }, ':to': { S: to } },
  };
  for await (const { Items = [] } of paginateQuery({ client }, query)) {
    if (Items.length > 0) {
      yield Items;
    }
  }
}

/** A partition of an index, as far as it was read. */
interface Source {
  readonly pages: AsyncIterator<readonly Item[]>;
  held: readonly Item[];
  isAtEnd: boolean;
}

/** Merges partitions of an index into one list, newest first. The pages at the front of each are in memory. */
async function* merged(lists: readonly Pages<Item>[], index: PartitionedIndex): Pages<Item> {
  const timeOf = (item: Item | undefined) => item?.[index.sortKey]?.S ?? '';
  const sources = lists.map(
    (list): Source => ({ pages: list[Symbol.asyncIterator](), held: [], isAtEnd: false }),
  );
  let unread: readonly Source[] = sources;
  while (unread.length > 0) {
    await Promise.all(unread.map(readOn));
    const unfinished = sources.filter(({ isAtEnd }) => !isAtEnd);
    // What is not read yet is at most as new as this. An index has no order for items with the same sort key, so
    // those that are exactly as new wait.
    const newestUnread = unfinished.map(({ held }) => timeOf(held.at(-1))).reduce(greater, '');
    const ready = sources.flatMap((source) => {
      const end = source.held.findIndex((item) => timeOf(item) <= newestUnread);
      const items = end === -1 ? source.held : source.held.slice(0, end);
      source.held = source.held.slice(items.length);
      return items;
    });
    if (ready.length > 0) {
      yield ready.sort(newestFirst(index));
    }
    unread = unfinished.filter(({ held }) => timeOf(held.at(-1)) === newestUnread);
  }
}

async function readOn(source: Source): Promise<void> {
  const { value, done } = await source.pages.next();
  source.isAtEnd = done === true;
  source.held = done ? source.held : [...source.held, ...value];
}

/** Makes pages of the same length. */
async function* inParts<Entry>(pages: Pages<Entry>, length: number): Pages<Entry> {
  let held: readonly Entry[] = [];
  for await (const page of pages) {
    held = [...held, ...page];
    while (held.length >= length) {
      yield held.slice(0, length);
      held = held.slice(length);
    }
  }
  if (held.length > 0) {
    yield held;
  }
}

/** Items of the same time are in the order of their ids, so that the order is always the same. */
function newestFirst({ sortKey, idKey }: PartitionedIndex) {
  return (a: Item, b: Item) =>
    compareText(b[sortKey]?.S, a[sortKey]?.S) || compareText(a[idKey]?.S, b[idKey]?.S);
}

/** Compares as DynamoDB does, by code and not by language. */
function compareText(a = '', b = ''): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}

function greater(a: string, b: string): string {
  return a < b ? b : a;
}

/** The place of an item in a list, as text for an address: its time and its id. */
function placeOf(item: Item, { sortKey, idKey }: PartitionedIndex): string {
  return `${item[sortKey]?.S}~${item[idKey]?.S}`;
}

function parsePlace(place: string, { sortKey, idKey }: PartitionedIndex): Item {
  const [, time, id] = /^([^~]+)~(.+)$/.exec(place) ?? [];
  if (time === undefined || id === undefined) {
    throw new OperationError(
      'invalid',
      'The address names a place in the list that does not exist. Start at its first page.',
    );
  }
  return { [sortKey]: { S: time }, [idKey]: { S: id } };
}

/** All entries in one array: for lists that are known to be short. */
export async function allOf<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const page of pages) {
    all.push(...page);
  }
  return all;
}
