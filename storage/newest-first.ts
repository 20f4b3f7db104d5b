import type { QueryCommandInput, QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Item } from './attributes.ts';

/** An index that sorts the items of each partition by time, and the key of its table. */
export interface TimeIndex {
  readonly name: string;
  readonly partitionKey: string;
  /** Name of the attribute with the time, or an id that starts with it. */
  readonly sortKey: string;
  /** Name of the key of the table. */
  readonly tableKey: string;
}

/** Items to read from an index. */
export interface IndexRange {
  readonly index: TimeIndex;
  /** Partitions of the index to read: one organisation or file, or all shards. */
  readonly partitions: readonly string[];
  /** Smallest and greatest value of the sort key, both included. Default: any. */
  readonly from?: string | undefined;
  readonly to?: string | undefined;
}

/** Sends a Query. */
type SendQuery = (input: QueryCommandInput) => Promise<QueryCommandOutput>;

/** A text that sorts before every sort key. */
const beforeEveryKey = ' ';

/**
 * A text that sorts after every sort key. Times, UUIDs and ids are ASCII letters, digits and punctuation, and
 * no id starts with this character.
 */
export const afterEveryKey = '~';

type Items = AsyncGenerator<Item, void>;

/**
 * Reads the items of an index, newest first.
 *
 * @param after place to continue after, from {@link parsePlace}
 */
export async function* newestFirst(
  table: string,
  { index, partitions, from = beforeEveryKey, to = afterEveryKey }: IndexRange,
  send: SendQuery,
  after?: Item,
): Items {
  const range = { from, to: after?.[index.sortKey]?.S ?? to };
  const lists = partitions.map((value) => partitionItems(table, index, value, range, send));
  const compare = byTime(index);
  for await (const item of merged(lists, compare)) {
    if (after === undefined || compare(after, item) < 0) {
      yield item;
    }
  }
}

/**
 * Items of the first and of each later query of a partition. The newest page of a list requires only one
 * small query for each partition.
 */
const [firstLimit, laterLimit] = [60, 250];

/** Reads the items of a partition of an index, newest first. */
async function* partitionItems(
  TableName: string,
  index: TimeIndex,
  partition: string,
  { from, to }: { readonly from: string; readonly to: string },
  send: SendQuery,
): Items {
  // DynamoDB rejects a range that ends before it begins.
  if (from > to) {
    return;
  }
  const { name, partitionKey, sortKey } = index;
  const query = {
    TableName,
    IndexName: name,
    ScanIndexForward: false,
    KeyConditionExpression: '#partition = :partition AND #sort BETWEEN :from AND :to',
    ExpressionAttributeNames: { '#partition': partitionKey, '#sort': sortKey },
    ExpressionAttributeValues: { ':partition': { S: partition }, ':from': { S: from }, ':to': { S: to } },
  };
  // An index does not sort items of the same time. So the items of the last time wait for the next query,
  // which may return more of them.
  let waiting: readonly Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const Limit = ExclusiveStartKey === undefined ? firstLimit : laterLimit;
    const page: QueryCommandOutput = await send({ ...query, Limit, ExclusiveStartKey });
    const read = [...waiting, ...(page.Items ?? [])].sort(byTime(index));
    waiting = read.filter((item) => item[sortKey]?.S === read.at(-1)?.[sortKey]?.S);
    yield* read.slice(0, read.length - waiting.length);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  yield* waiting;
}

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
export function byTime({ sortKey, tableKey }: TimeIndex): Compare {
  return (a, b) => compareText(b[sortKey]?.S, a[sortKey]?.S) || compareText(a[tableKey]?.S, b[tableKey]?.S);
}

/** Compares texts by character codes, as DynamoDB does, not by the rules of a language. */
function compareText(a = '', b = ''): number {
  return Number(a > b) - Number(a < b);
}

/** Returns the place of an item in a list, as text for an address: its time and its id. */
export function placeOf(item: Item | undefined, { sortKey, tableKey }: TimeIndex): string {
  return `${item?.[sortKey]?.S}~${item?.[tableKey]?.S}`;
}

/**
 * Parses a text from {@link placeOf}.
 *
 * @returns undefined if the text is not a place in a list
 */
export function parsePlace(place: string, { sortKey, tableKey }: TimeIndex): Item | undefined {
  const [, time, id] = /^([^~]+)~(.+)$/.exec(place) ?? [];
  return time === undefined || id === undefined
    ? undefined
    : { [sortKey]: { S: time }, [tableKey]: { S: id } };
}
