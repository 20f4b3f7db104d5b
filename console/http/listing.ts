import type { CreatedPlace } from '../../cli/operations/newest-created.ts';
import type { NewestPortion } from '../../cli/operations/newest-portion.ts';
import type { PageContext } from './environment.ts';
import { withQuery } from './respond.tsx';

/** One page of a list, and what is true of it. */
export interface Listing<Entry> extends NewestPortion<Entry> {
  /** Whether it begins at the newest. */
  readonly isFirst: boolean;
  /** Whether everything was searched for what matches. */
  readonly searchedAll: boolean;
  /** Addresses of the first page, of the next one, and of the search of everything, where these are of use. */
  readonly first: string | undefined;
  readonly nextPage: string | undefined;
  readonly searchAll: string | undefined;
}

const rowsOnPage = 50;

/** Reads the page of a list that the address asks for: `before` is where it begins, and `search=all` how far it looks. */
export async function readListing<Entry>(
  c: PageContext,
  read: (place: CreatedPlace) => Promise<NewestPortion<Entry>>,
): Promise<Listing<Entry>> {
  const { before, search } = c.req.query();
  const isFirst = !before;
  const searchedAll = search === 'all';
  const portion = await read({ before: before || undefined, enough: rowsOnPage, searchesAll: searchedAll });
  const { next, isCutShort } = portion;
  return {
    ...portion,
    isFirst,
    searchedAll,
    first: isFirst ? undefined : changed(c, { before: undefined }),
    nextPage: next === undefined ? undefined : changed(c, { before: next }),
    searchAll: isCutShort ? changed(c, { search: 'all' }) : undefined,
  };
}

/** The address of this page with another query. */
export function changed(c: PageContext, changes: Readonly<Record<string, string | undefined>>): string {
  return withQuery(c.req.path, { ...c.req.query(), ...changes });
}
