import type { Item } from '../../../storage/attributes.ts';
import { maxBatchItems } from '../../../storage/batch-get.ts';
import { byTime, placeOf } from '../../../storage/newest-first.ts';
import { dynamoDBClient } from '../deployment/aws-clients.ts';
import type { Deployment } from '../deployment/deployment.ts';
import { isSound, type Kind, kinds, readItems } from '../deployment/items.ts';
import { indexItems, startAfter } from './index-items.ts';
import type {
  IndexSource,
  ListOptions,
  ListSource,
  Page,
  PagePlace,
  Pages,
  PartSource,
  ReadProgress,
} from './list.ts';

// An index is eventually consistent, so an item from the last second may be missing. Listed items are up to
// date, except in a poll.

/** Reads all entries of a list, newest first. */
export async function* readAll<Entry>(
  deployment: Deployment,
  source: ListSource<Entry>,
  { limit = Number.POSITIVE_INFINITY, progress, check }: ListOptions = {},
): Pages<Entry> {
  if ('readPart' in source) {
    yield* readParts(source, limit, progress);
    return;
  }
  if (source.isSearch) {
    yield (await search(deployment, source, { limit, progress })).entries;
    return;
  }
  let [left, examined] = [limit, 0];
  for await (const keys of indexItems(deployment, source)) {
    const items = await wholeItems(deployment, source, keys);
    const entries = entriesOf(source, items).slice(0, left);
    examined += keys.length;
    left -= entries.length;
    progress?.(examined);
    await check?.();
    yield entries;
    if (left <= 0) {
      return;
    }
  }
}

/** Number of entries in a part of a list that is read completely. */
const partLength = 1000;

async function* readParts<Entry>(
  { readPart }: PartSource<Entry>,
  limit: number,
  progress: ReadProgress['progress'],
): Pages<Entry> {
  let [left, after]: [number, string | undefined] = [limit, undefined];
  do {
    const part: Page<Entry> = await readPart({ after, limit: Math.min(left, partLength), progress });
    yield part.entries.slice(0, left);
    left -= part.entries.length;
    after = part.next;
  } while (after !== undefined && left > 0);
}

/**
 * Reads one page of a list, newest first.
 *
 * @throws {OperationError} when `after` is not a place in a list
 */
export async function readPage<Entry>(
  deployment: Deployment,
  source: ListSource<Entry>,
  place: PagePlace,
): Promise<Page<Entry>> {
  if ('readPart' in source) {
    return source.readPart(place);
  }
  if (source.isSearch) {
    return search(deployment, source, place);
  }
  const { after, limit, isTimeUp, isPoll = false } = place;
  const entries: Entry[] = [];
  let examined = 0;
  let next: string | undefined;
  // Reads one entry beyond the page, to find out if there is a next page.
  for await (const keys of indexItems(deployment, source, after, Math.min(limit + 1, maxBatchItems))) {
    examined += keys.length;
    for (const item of await wholeItems(deployment, source, keys, !isPoll)) {
      const entry = source.entryOf(item);
      if (entry === undefined) {
        continue;
      }
      if (entries.length === limit) {
        return { entries, next, isCutShort: false, read: examined };
      }
      entries.push(entry);
      next = placeOf(item, source.index);
    }
    if (isTimeUp?.(examined)) {
      return { entries, next: placeOf(keys.at(-1), source.index), isCutShort: true, read: examined };
    }
  }
  return { entries, next: undefined, isCutShort: false, read: examined };
}

/** Returns all entries in one array. Use it only for short lists. */
export async function allOf<Entry>(pages: Pages<Entry>): Promise<readonly Entry[]> {
  const all: Entry[] = [];
  for await (const page of pages) {
    all.push(...page);
  }
  return all;
}

/** Reads a page of the matching items of the whole table, newest first. */
async function search<Entry>(
  deployment: Deployment,
  source: IndexSource<Entry>,
  { after, limit, ...progress }: PagePlace,
): Promise<Page<Entry>> {
  const { index, entryOf } = source;
  const matches = (item: Item) => entryOf(item) !== undefined;
  const { items, ...scanned } = await scanTable(deployment, index.kind, matches, progress);
  const compare = byTime(index);
  const start = startAfter(after, index);
  const left = items.filter((item) => start === undefined || compare(start, item) < 0).sort(compare);
  const shown = left.slice(0, limit);
  const isMore = left.length > limit && !scanned.isCutShort;
  return {
    ...scanned,
    entries: entriesOf(source, shown),
    next: isMore ? placeOf(shown.at(-1), index) : undefined,
  };
}

function entriesOf<Entry>({ entryOf }: IndexSource<Entry>, items: readonly Item[]): readonly Entry[] {
  return items.map(entryOf).filter((entry) => entry !== undefined);
}

/** Reads the items of an index in full. */
function wholeItems(
  deployment: Deployment,
  { index: { kind, tableKey }, canMatch = () => true }: IndexSource<unknown>,
  keys: readonly Item[],
  isConsistent = true,
): Promise<readonly Item[]> {
  const ids = keys.filter(canMatch).flatMap((item) => item[tableKey]?.S ?? []);
  return readItems(deployment, kind, ids, isConsistent);
}

/** Segments of a table that are read in parallel. */
const segments = [0, 1, 2, 3];

/**
 * Reads a whole table, with consistent reads. A call reads 1 MB, about 2,500 clients or files, for 256 read
 * units.
 *
 * @returns matching items that are not damaged, unsorted, with the number of items `read`, and `isCutShort`:
 * true if time ran out before all items were read
 */
export async function scanTable(
  deployment: Deployment,
  kind: Kind,
  matches: (item: Item) => boolean,
  { isTimeUp, progress }: ReadProgress,
) {
  const database = await dynamoDBClient(deployment);
  const TableName = deployment.outputs[kinds[kind].table];
  const items: Item[] = [];
  let [read, isCutShort] = [0, false];
  const readSegment = async (Segment: number) => {
    const scan = { TableName, ConsistentRead: true, Segment, TotalSegments: segments.length };
    for await (const { Items = [], LastEvaluatedKey } of database.paginateScan(scan)) {
      items.push(...Items.filter((item) => isSound(deployment, kind, item) && matches(item)));
      read += Items.length;
      progress?.(read);
      if (LastEvaluatedKey !== undefined && isTimeUp?.(read)) {
        isCutShort = true;
        return;
      }
    }
  };
  await Promise.all(segments.map(readSegment));
  return { items, read, isCutShort };
}
