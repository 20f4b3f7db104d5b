import type { ListOptions } from './newest-first.ts';
import { allOf, type Pages } from './pages.ts';

/** A part of a list that is newest first: what a page of a console shows, and where the next one begins. */
export interface NewestPortion<Entry> {
  readonly entries: readonly Entry[];
  /** The next portion begins after the entry with this place. Undefined at the end of the list. */
  readonly next: string | undefined;
  /** Whether the search ended before there was enough: `next` goes on where it stopped. */
  readonly isCutShort: boolean;
  /** How many items were read for it. */
  readonly read: number;
}

/** Which part of a list to read, and how. */
export interface NewestPortionRead<Entry> {
  /** The newest entries, without those that are certainly newer than the portion. */
  readonly list: (options: ListOptions) => Pages<Entry>;
  /** Whether an entry comes after the place where the portion begins. Undefined: it begins at the newest. */
  readonly isOlder: ((entry: Entry) => boolean) | undefined;
  /** What `list` does not select: looked at in a bounded number of entries, so that few matches do not take long. */
  readonly matches: ((entry: Entry) => boolean) | undefined;
  readonly placeOf: (entry: Entry) => string;
  /** The most entries. */
  readonly enough: number;
}

/** An index gives so many quickly (newest-by-index.ts). */
const examinedForMatches = 800;

/**
 * Reads a part of a list that is newest first. Entries of the same second as the place where it begins are asked for as
 * well, and left out.
 */
export async function readNewest<Entry>(read: NewestPortionRead<Entry>): Promise<NewestPortion<Entry>> {
  const { list, isOlder, matches, enough } = read;
  const wanted = matches === undefined ? enough + 1 : examinedForMatches;
  for (let more = isOlder === undefined ? 0 : 100; ; more *= 4) {
    const limit = wanted + more;
    let items = 0;
    const progress = (count: number) => {
      items = count;
    };
    const listed = await allOf(list({ limit, progress }));
    const older = isOlder === undefined ? listed : listed.filter(isOlder);
    const isAll = listed.length < limit;
    if (older.length >= wanted || isAll) {
      return portionOf(older.slice(0, wanted), read, {
        isAll: isAll && older.length <= wanted,
        read: items,
      });
    }
  }
}

function portionOf<Entry>(
  examined: readonly Entry[],
  { matches, placeOf, enough }: NewestPortionRead<Entry>,
  { isAll, read }: { readonly isAll: boolean; readonly read: number },
): NewestPortion<Entry> {
  const matching = matches === undefined ? examined : examined.filter(matches);
  const entries = matching.slice(0, enough);
  const place = (entry: Entry | undefined) => (entry === undefined ? undefined : placeOf(entry));
  if (matching.length > enough) {
    return { entries, next: place(entries.at(-1)), isCutShort: false, read };
  }
  return isAll
    ? { entries, next: undefined, isCutShort: false, read }
    : { entries, next: place(examined.at(-1)), isCutShort: true, read: examined.length };
}
