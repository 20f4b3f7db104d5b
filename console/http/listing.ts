import type { Portion, PortionPlace } from '../../cli/operations/newest-first.ts';
import type { PageContext } from './environment.ts';
import { withQuery } from './respond.tsx';

/** One page of a list, and what is true of it. */
export interface Listing<Entry> extends Portion<Entry> {
  /** Whether it begins at the newest. */
  readonly isFirst: boolean;
  /** Addresses of the first page and of the next one, where these are of use. */
  readonly first: string | undefined;
  readonly nextPage: string | undefined;
}

const rowsOnPage = 50;

/** A filter that few match must not let a page wait for the whole table. */
const maximumReadMilliseconds = 700;

/** Reads the page of a list that the address asks for: `before` is where it begins. */
export async function readListing<Entry>(
  c: PageContext,
  read: (place: PortionPlace) => Promise<Portion<Entry>>,
): Promise<Listing<Entry>> {
  const { before } = c.req.query();
  const { now } = c.var.console;
  const isFirst = !before;
  const endsAt = now() + maximumReadMilliseconds;
  const isTimeUp = () => now() > endsAt;
  const portion = await read({ after: before || undefined, enough: rowsOnPage, isTimeUp });
  const { next } = portion;
  return {
    ...portion,
    isFirst,
    first: isFirst ? undefined : changed(c, { before: undefined }),
    nextPage: next === undefined ? undefined : changed(c, { before: next }),
  };
}

/** The address of this page with another query. */
export function changed(c: PageContext, changes: Readonly<Record<string, string | undefined>>): string {
  return withQuery(c.req.path, { ...c.req.query(), ...changes });
}
