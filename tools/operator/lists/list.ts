import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, readItems } from '../deployment/items.ts';
import { InvalidInput } from '../errors.ts';
import { scanTable } from './scan.ts';

/** A list, page by page. Each page is read on request, so memory contains only one page. */
export type Pages<Entry> = AsyncIterable<readonly Entry[]>;

/** Range of time. */
export interface TimeRange {
  /** Start of the range, included. */
  readonly since?: string | undefined;
  /** End of the range, excluded. */
  readonly until?: string | undefined;
}

/** Returns true if a time is in the range. */
export function isWithin(time: string, { since, until }: TimeRange): boolean {
  return (since === undefined || time >= since) && (until === undefined || time < until);
}

/** An index, and the names of its keys. */
export interface PartitionedIndex {
  readonly kind: Kind;
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** Read of a list from an index. The items of each partition are sorted by time. */
export interface ListRead<Entry> {
  readonly index: PartitionedIndex;
  /** Partitions of the index to read: one organisation or file, or all shards. */
  readonly partitions: readonly string[];
  /** Smallest and greatest value of the sort key, both included. Default: any. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /**
   * True to read the whole table in place of the index: for a search by name, which the index lacks. Default:
   * false.
   */
  readonly isSearch?: boolean;
  /**
   * Returns true if the item of an index can match. Other items are not read in full. Default: all can match.
   */
  readonly canMatch?: (indexed: Item) => boolean;
  readonly entryOf: (item: Item) => Entry;
  /** Returns true if an entry belongs to the list. */
  readonly matches: (entry: Entry) => boolean;
}

/** Time limit and progress of a read. */
export interface ReadProgress {
  /**
   * Returns true to stop a read early, given the number of items read: for a filter that matches few entries.
   * Default: never, so the whole list is read.
   */
  readonly isTimeUp?: (read: number) => boolean;
  /** Callback for the number of items read so far, called after each part. */
  readonly progress?: ((items: number) => void) | undefined;
}

export interface ListOptions extends Pick<ReadProgress, 'progress'> {
  /** Maximum number of entries, newest first. Default: all. */
  readonly limit?: number | undefined;
}

/** A page of a list in the console, with the start of the next page. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** `after` of the next page. Undefined at the end of the list, and after a search that was cut short. */
  readonly next: string | undefined;
  /** True if time ran out before the page was full. A list that is not a search continues at `next`. */
  readonly isCutShort: boolean;
  /** Number of items read, including items that did not match. */
  readonly read: number;
}

export interface PagePlace extends ReadProgress {
  /** `next` of the page before. Default: the start of the list. */
  readonly after?: string | undefined;
  /** Maximum number of entries. */
  readonly limit: number;
  /** True for a page that is polled. Its items may be a second old, for half the price. */
  readonly isPoll?: boolean;
}

/**
 * Creates two functions that read the lists of one kind, newest first: `list` reads all pages, and `read`
 * reads one page. An index is eventually consistent, so an item from the last second may be missing. Listed
 * items are up to date, except in a poll.
 *
 * @param readOf function from a selection and the time, in milliseconds since the epoch, to a read
 */
export function listsOf<Selection, Entry>(readOf: (selection: Selection, now: number) => ListRead<Entry>) {
  return {
    list: (deployment: Deployment, selection: Selection, options: ListOptions = {}) =>
      readAll(deployment, readOf(selection, deployment.now()), options),
    /**
     * Reads one page.
     *
     * @throws {OperationError} when `after` is not a place in a list
     */
    read: (deployment: Deployment, selection: Selection, place: PagePlace) =>
      readPage(deployment, readOf(selection, deployment.now()), place),
  };
}

/** Functions that read the lists of one kind. */
export type Lists<Selection, Entry> = ReturnType<typeof listsOf<Selection, Entry>>;

async function* readAll<Entry>(
  deployment: Deployment,
  read: ListRead<Entry>,
  { limit = Number.POSITIVE_INFINITY, progress }: ListOptions,
): Pages<Entry> {
  if (read.isSearch) {
    const { entries } = await search(deployment, read, { limit: limit, progress });
    yield entries;
    return;
  }
  let [left, examined] = [limit, 0];
  for await (const keys of keysOf(deployment, read)) {
    const items = await wholeItems(deployment, read, keys);
    const entries = items.map(read.entryOf).filter(read.matches).slice(0, left);
    examined += keys.length;
    left -= entries.length;
    progress?.(examined);
    yield entries;
    if (left <= 0) {
      return;
    }
  }
}

async function readPage<Entry>(
  deployment: Deployment,
  read: ListRead<Entry>,
  place: PagePlace,
): Promise<Page<Entry>> {
  if (read.isSearch) {
    return search(deployment, read, place);
  }
  const { after, limit, isTimeUp, isPoll = false } = place;
  const entries: Entry[] = [];
  let examined = 0;
  let next: string | undefined;
  // Reads one entry beyond the page, to find out if there is a next page.
  for await (const keys of keysOf(deployment, read, after, Math.min(limit + 1, maximumKeys))) {
    examined += keys.length;
    for (const item of await wholeItems(deployment, read, keys, !isPoll)) {
      const entry = read.entryOf(item);
      if (!read.matches(entry)) {
        continue;
      }
      if (entries.length === limit) {
        return { entries, next, isCutShort: false, read: examined };
      }
      entries.push(entry);
      next = placeOf(item, read.index);
    }
    if (isTimeUp?.(examined)) {
      return { entries, next: placeOf(keys.at(-1), read.index), isCutShort: true, read: examined };
    }
  }
  return { entries, next: undefined, isCutShort: false, read: examined };
}

/** Reads a page of the matching items of the whole table, newest first. */
async function search<Entry>(
  deployment: Deployment,
  { index, entryOf, matches }: ListRead<Entry>,
  { after, limit, ...progress }: PagePlace,
): Promise<Page<Entry>> {
  const { items, ...scanned } = await scanTable(
    deployment,
    index.kind,
    (item) => matches(entryOf(item)),
    progress,
  );
  const compare = newestFirst(index);
  const start = parsePlace(after, index);
  const left = items.filter((item) => start === undefined || compare(start, item) < 0).sort(compare);
  const shown = left.slice(0, limit);
  const isMore = left.length > limit && !scanned.isCutShort;
  return {
    ...scanned,
    entries: shown.map(entryOf),
    next: isMore ? placeOf(shown.at(-1), index) : undefined,
  };
}

/** Reads the items of an index in full. */
function wholeItems<Entry>(
  deployment: Deployment,
  { index: { kind }, canMatch = () => true }: ListRead<Entry>,
  keys: readonly Item[],
  isConsistent = true,
): Promise<readonly Item[]> {
  const { key } = kinds[kind];
  const ids = keys.filter(canMatch).flatMap((item) => item[key]?.S ?? []);
  return readItems(deployment, kind, ids, isConsistent);
}

/** DynamoDB reads at most 100 items by their keys in one request. */
const maximumKeys = 100;

/**
 * Reads the items of an index, newest first, in arrays of the given length.
 *
 * @param after place to continue after
 */
async function* keysOf<Entry>(
  deployment: Deployment,
  { index, partitions, from = beforeEveryKey, to = afterEveryKey }: ListRead<Entry>,
  after?: string,
  length = maximumKeys,
): Pages<Item> {
  const start = parsePlace(after, index);
  const range = { from, to: start?.[index.sortKey]?.S ?? to };
  const lists = partitions.map((value) => itemsOf(deployment, index, value, range));
  const compare = newestFirst(index);
  let held: Item[] = [];
  for await (const item of merged(lists, compare)) {
    if (start === undefined || compare(start, item) < 0) {
      held.push(item);
    }
    if (held.length === length) {
      yield held;
      held = [];
    }
  }
  if (held.length > 0) {
    yield held;
  }
}

/** A text that sorts before every sort key. */
const beforeEveryKey = ' ';

/**
 * A text that sorts after every sort key. Times, UUIDs and ids are ASCII letters, digits and punctuation, and
 * no id starts with this character.
 */
export const afterEveryKey = '~';

/**
 * Items of the first and of each later query of a partition. The newest page of a list requires only one
 * small query for each partition.
 */
const [firstLimit, laterLimit] = [60, 250];

/** Reads the items of a partition of an index, newest first. */
async function* itemsOf(
  deployment: Deployment,
  index: PartitionedIndex,
  partition: string,
  { from, to }: { readonly from: string; readonly to: string },
): Items {
  // DynamoDB rejects a range that ends before it begins.
  if (from > to) {
    return;
  }
  const { kind, name, partitionKey, sortKey } = index;
  const client = await dynamoDBClient(deployment);
  const query = {
    TableName: deployment.outputs[kinds[kind].table],
    IndexName: name,
    ScanIndexForward: false,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': { S: partition }, ':from': { S: from }, ':to': { S: to } },
  };
  // An index does not sort items of the same time. So the last items are kept until the next page shows if
  // more follow.
  let held: readonly Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const Limit = ExclusiveStartKey === undefined ? firstLimit : laterLimit;
    const page: QueryCommandOutput = await client.query({ ...query, Limit, ExclusiveStartKey });
    const read = [...held, ...(page.Items ?? [])].sort(newestFirst(index));
    held = read.filter((item) => item[sortKey]?.S === read.at(-1)?.[sortKey]?.S);
    yield* read.slice(0, read.length - held.length);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  yield* held;
}

type Items = AsyncGenerator<Item, void>;

type Compare = (a: Item, b: Item) => number;

/** Merges sorted lists into one sorted list. */
async function* merged(lists: readonly Items[], compare: Compare): Items {
  const heads: { readonly list: Items; readonly item: Item }[] = [];
  const addHead = async (list: Items) => {
    const { value: item } = await list.next();
    if (item) {
      const later = heads.findIndex((head) => compare(head.item, item) > 0);
      heads.splice(later < 0 ? heads.length : later, 0, { list, item });
    }
  };
  await Promise.all(lists.map(addHead));
  for (let head = heads.shift(); head !== undefined; head = heads.shift()) {
    yield head.item;
    await addHead(head.list);
  }
}

/** Sorts by time, newest first. Items of the same time are sorted by id, for a stable order. */
function newestFirst({ sortKey, kind }: PartitionedIndex): Compare {
  const { key } = kinds[kind];
  return (a, b) => compareText(b[sortKey]?.S, a[sortKey]?.S) || compareText(a[key]?.S, b[key]?.S);
}

/** Compares texts by character codes, as DynamoDB does, not by the rules of a language. */
function compareText(a = '', b = ''): number {
  return Number(a > b) - Number(a < b);
}

/** Returns the place of an item in a list, as text for an address: its time and its id. */
function placeOf(item: Item | undefined, { sortKey, kind }: PartitionedIndex): string {
  return `${item?.[sortKey]?.S}~${item?.[kinds[kind].key]?.S}`;
}

function parsePlace(place: string | undefined, { sortKey, kind }: PartitionedIndex): Item | undefined {
  if (place === undefined) {
    return undefined;
  }
  const [, time, id] = /^([^~]+)~(.+)$/.exec(place) ?? [];
  if (time === undefined || id === undefined) {
    throw new InvalidInput(
      'The address names a place in the list that does not exist. Start at the first page of the list.',
    );
  }
  return { [sortKey]: { S: time }, [kinds[kind].key]: { S: id } };
}

/** Returns all entries in one array. Use it only for short lists. */
export async function allOf<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const page of pages) {
    all.push(...page);
  }
  return all;
}
