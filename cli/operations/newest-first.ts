import { allOf, firstOf, type Pages } from './pages.ts';

/** Negative when `a` comes before `b`. */
export type Compare<Entry> = (a: Entry, b: Entry) => number;

/** Sorts a list of any length. Whoever calls an operation chooses where: in memory, or on disk. */
export type Sort = <Entry extends object>(pages: Pages<Entry>, compare: Compare<Entry>) => Pages<Entry>;

/** How much of a list to read, and how. */
export interface ListOptions {
  /** The most entries, the newest ones. Default: all. */
  readonly limit?: number | undefined;
  /** The most items that DynamoDB reads for one page. Default: 1 MB of them. */
  readonly pageSize?: number | undefined;
  /** Sorts a list that no index sorts. Default: in memory, which is for short lists. */
  readonly sort?: Sort | undefined;
}

/** So many entries are kept in memory when only the newest are wanted. */
const maximumKept = 10_000;

/**
 * Puts the entries of a scan in order. Every entry must be read before the first one is known, because the table has no
 * index by time. For a limit, only so many entries are kept meanwhile. Without one, `sort` does the work.
 */
export async function* inOrder<Entry extends object>(
  pages: Pages<Entry>,
  compare: Compare<Entry>,
  { limit, sort = sortInMemory }: ListOptions,
): AsyncGenerator<readonly Entry[]> {
  if (limit === undefined || limit > maximumKept) {
    yield* firstOf(sort(pages, compare), limit);
    return;
  }
  let kept: Entry[] = [];
  for await (const page of pages) {
    kept = kept.concat(page);
    // To sort at twice the limit is cheaper than to find a place for each entry.
    if (kept.length >= 2 * limit) {
      kept = kept.sort(compare).slice(0, limit);
    }
  }
  const newest = kept.sort(compare).slice(0, limit);
  if (newest.length > 0) {
    yield newest;
  }
}

/** Sorts in memory. */
export async function* sortInMemory<Entry extends object>(
  pages: Pages<Entry>,
  compare: Compare<Entry>,
): AsyncGenerator<readonly Entry[]> {
  const all = [...(await allOf(pages))].sort(compare);
  if (all.length > 0) {
    yield all;
  }
}

/** Newest first. Entries of the same time are in the order of their ids, so that the order is always the same. */
export function compareNewest<Entry>(
  timeOf: (entry: Entry) => string,
  idOf: (entry: Entry) => string,
): Compare<Entry> {
  return (a, b) => compareText(timeOf(b), timeOf(a)) || compareText(idOf(a), idOf(b));
}

/** Compares as DynamoDB does, by code and not by language. */
export function compareText(a: string, b: string): number {
  if (a === b) {
    return 0;
  }
  return a < b ? -1 : 1;
}
