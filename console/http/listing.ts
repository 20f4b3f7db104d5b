import type { Compare } from '../../cli/operations/newest-first.ts';
import { allOf, type Pages } from '../../cli/operations/pages.ts';
import type { Portion, PortionPlace } from '../../cli/operations/portion.ts';
import type { PageContext } from './environment.ts';
import { withQuery } from './respond.tsx';

/** One page of a list, and what is true of it. */
export interface Listing<Entry> {
  readonly rows: readonly Entry[];
  /** Newest first of all that match, or the order of the table, which means nothing. */
  readonly order: 'newest' | 'none';
  /** How many match, where all were read. */
  readonly total: number | undefined;
  /** How many items were read. */
  readonly read: number;
  /** Addresses. */
  readonly previous: string | undefined;
  readonly next: string | undefined;
  /** Address of the same list in the order that it does not have. */
  readonly sorted: string | undefined;
}

/** A list that no index sorts. */
export interface ListingSource<Entry> {
  readonly portion: (place: PortionPlace) => Promise<Portion<Entry>>;
  /** Reads the whole list, newest first. */
  readonly newest: (limit: number, progress: (items: number) => void) => Pages<Entry>;
  readonly compare: Compare<Entry>;
  readonly placeAfter: (entry: Entry) => string;
}

const rowsOnPage = 50;

/** The first page must not wait for a whole table. */
const maximumReadMilliseconds = 700;

/**
 * Reads one page of a list. A short table is read whole, so its list is sorted. A long one is shown in the order of the
 * table, unless the address asks to sort it (`sort=newest`), which reads all of it.
 */
export async function readListing<Entry extends object>(
  c: PageContext,
  source: ListingSource<Entry>,
): Promise<Listing<Entry>> {
  const { after, page, sort } = c.req.query();
  const number = /^[1-9]\d{0,5}$/.test(page ?? '') ? Number(page) : 1;
  if (sort === 'newest') {
    return newestPage(c, source, number);
  }
  const endsAt = c.var.console.now() + maximumReadMilliseconds;
  const portion = await source.portion({
    after,
    enough: rowsOnPage,
    isTimeUp: () => c.var.console.now() > endsAt,
  });
  if (after === undefined && portion.next === undefined) {
    const sorted = [...portion.entries].sort(source.compare);
    return numberedPage(c, sorted, { number, total: sorted.length, read: portion.read });
  }
  return after === undefined && number > 1
    ? newestPage(c, source, number)
    : tablePage(c, portion, source.placeAfter);
}

async function newestPage<Entry extends object>(
  c: PageContext,
  source: ListingSource<Entry>,
  number: number,
): Promise<Listing<Entry>> {
  let read = 0;
  const entries = await allOf(
    source.newest(number * rowsOnPage + 1, (items) => {
      read = items;
    }),
  );
  return numberedPage(c, entries, { number, total: undefined, read });
}

function numberedPage<Entry>(
  c: PageContext,
  entries: readonly Entry[],
  {
    number,
    total,
    read,
  }: { readonly number: number; readonly total: number | undefined; readonly read: number },
): Listing<Entry> {
  const start = (number - 1) * rowsOnPage;
  return {
    rows: entries.slice(start, start + rowsOnPage),
    order: 'newest',
    total,
    read,
    previous: number > 1 ? changed(c, { page: number > 2 ? String(number - 1) : undefined }) : undefined,
    next: entries.length > start + rowsOnPage ? changed(c, { page: String(number + 1) }) : undefined,
    sorted: undefined,
  };
}

function tablePage<Entry>(
  c: PageContext,
  { entries, next, read }: Portion<Entry>,
  placeAfter: (entry: Entry) => string,
): Listing<Entry> {
  const rows = entries.slice(0, rowsOnPage);
  const last = rows.at(-1);
  const after = entries.length > rowsOnPage && last !== undefined ? placeAfter(last) : next;
  return {
    rows,
    order: 'none',
    total: undefined,
    read,
    // The browser's own way back leads to the page before: a table can be read forwards only.
    previous: undefined,
    next: after === undefined ? undefined : changed(c, { after }),
    sorted: changed(c, { after: undefined, page: undefined, sort: 'newest' }),
  };
}

/** The address of this page with another query. */
export function changed(c: PageContext, changes: Readonly<Record<string, string | undefined>>): string {
  return withQuery(c.req.path, { ...c.req.query(), ...changes });
}
