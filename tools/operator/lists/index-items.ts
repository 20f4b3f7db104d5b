import type { QueryCommandOutput } from '@aws-sdk/client-dynamodb';
import type { Item } from '../../../storage/attributes.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { kinds } from '../deployment/items.ts';
import { InvalidInput } from '../errors.ts';
import type { IndexSource, Pages, PartitionedIndex } from './list.ts';

/** DynamoDB reads at most 100 items by their keys in one request. */
export const maxKeys = 100;

/** A text that sorts before every sort key. */
const beforeEveryKey = ' ';

/**
 * A text that sorts after every sort key. Times, UUIDs and ids are ASCII letters, digits and punctuation, and
 * no id starts with this character.
 */
export const afterEveryKey = '~';

/**
 * Reads the items of an index, newest first, in arrays of the given length.
 *
 * @param after place to continue after
 */
export async function* indexItems(
  deployment: Deployment,
  { index, partitions, from = beforeEveryKey, to = afterEveryKey }: IndexSource<unknown>,
  after?: string,
  length = maxKeys,
): Pages<Item> {
  const start = parsePlace(after, index);
  const range = { from, to: start?.[index.sortKey]?.S ?? to };
  const lists = partitions.map((value) => partitionItems(deployment, index, value, range));
  const compare = newestFirst(index);
  let part: Item[] = [];
  for await (const item of merged(lists, compare)) {
    if (start === undefined || compare(start, item) < 0) {
      part.push(item);
    }
    if (part.length === length) {
      yield part;
      part = [];
    }
  }
  if (part.length > 0) {
    yield part;
  }
}

/**
 * Items of the first and of each later query of a partition. The newest page of a list requires only one
 * small query for each partition.
 */
const [firstLimit, laterLimit] = [60, 250];

/** Reads the items of a partition of an index, newest first. */
async function* partitionItems(
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
  // An index does not sort items of the same time. So the items of the last time wait for the next query,
  // which may return more of them.
  let waiting: readonly Item[] = [];
  let ExclusiveStartKey: Item | undefined;
  do {
    const Limit = ExclusiveStartKey === undefined ? firstLimit : laterLimit;
    const page: QueryCommandOutput = await client.query({ ...query, Limit, ExclusiveStartKey });
    const read = [...waiting, ...(page.Items ?? [])].sort(newestFirst(index));
    waiting = read.filter((item) => item[sortKey]?.S === read.at(-1)?.[sortKey]?.S);
    yield* read.slice(0, read.length - waiting.length);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  yield* waiting;
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
export function newestFirst({ sortKey, kind }: PartitionedIndex): Compare {
  const { key } = kinds[kind];
  return (a, b) => compareText(b[sortKey]?.S, a[sortKey]?.S) || compareText(a[key]?.S, b[key]?.S);
}

/** Compares texts by character codes, as DynamoDB does, not by the rules of a language. */
function compareText(a = '', b = ''): number {
  return Number(a > b) - Number(a < b);
}

/** Returns the place of an item in a list, as text for an address: its time and its id. */
export function placeOf(item: Item | undefined, { sortKey, kind }: PartitionedIndex): string {
  return `${item?.[sortKey]?.S}~${item?.[kinds[kind].key]?.S}`;
}

/**
 * Parses a text from {@link placeOf}.
 *
 * @throws {OperationError} when the text is not a place in a list
 */
export function parsePlace(place: string | undefined, { sortKey, kind }: PartitionedIndex): Item | undefined {
  if (place === undefined) {
    return undefined;
  }
  const [, time, id] = /^([^~]+)~(.+)$/.exec(place) ?? [];
  if (time === undefined || id === undefined) {
    throw invalidPlace();
  }
  return { [sortKey]: { S: time }, [kinds[kind].key]: { S: id } };
}

/** Creates the error for a place that is not in a list. */
export function invalidPlace(): InvalidInput {
  return new InvalidInput(
    'The address contains an invalid position in the list. Start at the first page of the list.',
  );
}
