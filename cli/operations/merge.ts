import type { Compare } from './newest-first.ts';
import type { Pages } from './pages.ts';

/** The entries of a sorted list, one after the other. */
class Cursor<Entry> {
  readonly #pages: AsyncIterator<readonly Entry[]>;
  #page: readonly Entry[] = [];
  #next = 0;

  constructor(pages: Pages<Entry>) {
    this.#pages = pages[Symbol.asyncIterator]();
  }

  get head(): Entry | undefined {
    return this.#page[this.#next];
  }

  advance(): void {
    this.#next += 1;
  }

  /** Reads on until there is a head. */
  async fill(): Promise<this> {
    while (this.head === undefined) {
      const { value, done } = await this.#pages.next();
      if (done) {
        break;
      }
      this.#page = value;
      this.#next = 0;
    }
    return this;
  }
}

/**
 * Merges sorted lists into one. Of each list, only the page with its next entry is in memory.
 *
 * @param partLength the most entries of one page of the result
 */
export async function* merge<Entry>(
  lists: readonly Pages<Entry>[],
  compare: Compare<Entry>,
  partLength: number,
): AsyncGenerator<readonly Entry[]> {
  let cursors = await Promise.all(lists.map((list) => new Cursor(list).fill()));
  let part: Entry[] = [];
  for (;;) {
    cursors = cursors.filter(({ head }) => head !== undefined);
    const [first, ...others] = cursors;
    if (first === undefined) {
      break;
    }
    const next = others.reduce((least, cursor) => (isBefore(cursor, least, compare) ? cursor : least), first);
    if (next.head !== undefined) {
      part.push(next.head);
    }
    next.advance();
    // A full page goes out before more is read, so that a reader who stops here has cost nothing more.
    if (part.length === partLength) {
      yield part;
      part = [];
    }
    if (next.head === undefined) {
      await next.fill();
    }
  }
  if (part.length > 0) {
    yield part;
  }
}

function isBefore<Entry>(a: Cursor<Entry>, b: Cursor<Entry>, compare: Compare<Entry>): boolean {
  return a.head !== undefined && b.head !== undefined && compare(a.head, b.head) < 0;
}
