import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { type Kind, kinds, readItems } from '../deployment/items.ts';
import { InvalidInput } from '../errors.ts';
import { scanTable } from './scan.ts';

/** A list, page by page. A page is read only when the caller asks for it, so memory holds one page at a time. */
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

/** An index, and the names of its keys. */
export interface PartitionedIndex {
  readonly kind: Kind;
  readonly name: string;
  readonly partitionKey: string;
  readonly sortKey: string;
}

/** What to list. Each partition of an index has its items in the order of time. */
export interface ListRead<Entry> {
  readonly index: PartitionedIndex;
  /** Partitions of the index that are read: one organisation or file, or all shards. */
  readonly partitions: readonly string[];
  /** The least and the greatest value of the sort key that can match. Default: any. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
  /** Whether the whole table is read, and not the index: for a search by name, which the index lacks. Default: no. */
  readonly isSearch?: boolean;
  /** Whether the item of an index can match. Items that cannot match are not read in full. Default: all can match. */
  readonly canMatch?: (indexed: Item) => boolean;
  readonly entryOf: (item: Item) => Entry;
  /** Whether an entry belongs to the list. */
  readonly matches: (entry: Entry) => boolean;
}

/** How long a look may take, and who hears how far it is. */
export interface ReadProgress {
  /** Stops a page whose filter few entries match, after so many items. Default: never, so the whole list is read. */
  readonly isTimeUp?: (read: number) => boolean;
  /** Called after each part with the number of items looked at so far. */
  readonly progress?: ((items: number) => void) | undefined;
}

export interface ListOptions extends Pick<ReadProgress, 'progress'> {
  /** The most entries, the newest ones. Default: all. */
  readonly limit?: number | undefined;
}

/** A page of a list in the console, and where the next page begins. */
export interface Page<Entry> {
  readonly entries: readonly Entry[];
  /** The `after` of the next page. Undefined at the end of the list, and after a search that was cut short. */
  readonly next: string | undefined;
  /** Whether time was up before the page was full. The search stopped at `next`. */
  readonly isCutShort: boolean;
  /** How many items were looked at, also items that did not match. */
  readonly read: number;
}

export interface PagePlace extends ReadProgress {
  /** The `next` of the page before. Default: from the newest on. */
  readonly after?: string | undefined;
  /** The most entries. */
  readonly limit: number;
  /** Items may be a second old, for half the price. For pages that are read again and again. */
  readonly isPoll?: boolean;
}

/**
 * Makes the two ways to read the lists of one kind, newest first: all pages, and one page from a place on. An index is
 * eventually consistent, so an item that was written less than a second ago may be missing. Listed items are up to date, but for those of a poll.
 *
 * @param readOf what a selection reads at a time, in milliseconds since the epoch
 */
export function listsOf<Selection, Entry>(readOf: (selection: Selection, now: number) => ListRead<Entry>) {
  return {
    list: (deployment: Deployment, selection: Selection, options: ListOptions = {}) =>
      readAll(deployment, readOf(selection, deployment.now()), options),
    /** @throws {OperationError} when `after` is no place in a list */
    read: (deployment: Deployment, selection: Selection, place: PagePlace) =>
      readPage(deployment, readOf(selection, deployment.now()), place),
  };
}

/** The two ways to read the lists of one kind. */
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
  // One entry more than the page has tells whether there are more.
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

/** A page of what the whole table has, newest first. */
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

/** Reads in full the items that an index names. */
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

/** The items of an index, newest first, in arrays of one length. @param after the place to go on after */
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

/** Sorts before every sort key. */
const beforeEveryKey = ' ';

/**
 * Sorts after every sort key: times, UUIDs and ids are ASCII letters, digits and punctuation, and no id begins with this
 * character.
 */
export const afterEveryKey = '~';

/** Items of the first and of each later query of a partition. The newest page of a list needs one small query of each. */
const [firstLimit, laterLimit] = [60, 250];

/** The items of a partition of an index, newest first. */
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
  // An index has no order for items of the same time. So the last items wait until the next page shows whether more follow.
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

/** Sorts by time, newest first. Items of the same time are in the order of their ids, so the order never varies. */
function newestFirst({ sortKey, kind }: PartitionedIndex): Compare {
  const { key } = kinds[kind];
  return (a, b) => compareText(b[sortKey]?.S, a[sortKey]?.S) || compareText(a[key]?.S, b[key]?.S);
}

/** Compares texts by character codes, as DynamoDB does, and not by the rules of a language. */
function compareText(a = '', b = ''): number {
  return Number(a > b) - Number(a < b);
}

/** The place of an item in a list, as text for an address: its time and its id. */
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

/** All entries in one array. Only for short lists. */
export async function allOf<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const page of pages) {
    all.push(...page);
  }
  return all;
}
