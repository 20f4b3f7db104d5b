import { timestamp } from '../../storage/attributes.ts';
import { UsageError } from '../errors.ts';
import type { ListOptions } from './newest-first.ts';
import { type NewestPortion, readNewest } from './newest-portion.ts';
import type { Pages, TimeRange } from './pages.ts';

/** What clients and files are selected by, and no index knows. */
interface CreatedSelection extends TimeRange {
  readonly status?: unknown;
  readonly text?: string | undefined;
}

/** A list of things that have a time of creation. */
interface CreatedList<Entry, Selection> {
  /** Newest first, and then by id. */
  readonly list: (selection: Selection, options: ListOptions) => Pages<Entry>;
  readonly isSelected: (entry: Entry, selection: Selection) => boolean;
  readonly idOf: (entry: Entry) => string;
}

/** Which part of a list to read. */
export interface CreatedPlace {
  /** The `next` of the portion before. Default: from the newest on. */
  readonly before?: string | undefined;
  /** The most entries. */
  readonly enough: number;
  /** Whether to look for the status and the text in all entries, however long it takes, and not in the newest ones. */
  readonly searchesAll?: boolean;
}

/**
 * Reads a part of a list of clients or files, newest first.
 *
 * @throws {UsageError} when `before` is no place in a list
 */
export function readCreated<
  Entry extends { readonly created_at: string },
  Selection extends CreatedSelection,
>(
  { list, isSelected, idOf }: CreatedList<Entry, Selection>,
  selection: Selection,
  { before, enough, searchesAll = false }: CreatedPlace,
): Promise<NewestPortion<Entry>> {
  const start = before === undefined ? undefined : parsePlace(before);
  const within = { ...selection, until: earlier(selection.until, start && endOfSecond(start.time)) };
  const looksAtEach = !searchesAll && (selection.status !== undefined || selection.text !== undefined);
  const listed = looksAtEach ? { ...within, status: undefined, text: undefined } : within;
  return readNewest({
    list: (options) => list(listed, options),
    isOlder:
      start &&
      ((entry) =>
        entry.created_at < start.time || (entry.created_at === start.time && idOf(entry) > start.id)),
    matches: looksAtEach ? (entry) => isSelected(entry, selection) : undefined,
    placeOf: (entry) => `${entry.created_at}~${idOf(entry)}`,
    enough,
  });
}

/** What was created in the same second has an earlier time than this. */
function endOfSecond(time: string): string {
  return timestamp(new Date(Date.parse(time) + 1000));
}

function earlier(one: string | undefined, other: string | undefined): string | undefined {
  return one === undefined || (other !== undefined && other < one) ? other : one;
}

const placePattern = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d+)?Z)~(.+)$/;

/** A place has the time and the id of the entry before. */
function parsePlace(text: string): { readonly time: string; readonly id: string } {
  const [, time, id] = placePattern.exec(text) ?? [];
  if (time === undefined || id === undefined || Number.isNaN(Date.parse(time))) {
    throw new UsageError(
      'The address names a place in the list that does not exist. Start at its first page.',
    );
  }
  return { time, id };
}
