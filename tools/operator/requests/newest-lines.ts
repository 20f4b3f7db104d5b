import { invalidPlace } from '../lists/index-items.ts';
import type { LogLine, LogRange } from './logs.ts';

/** Lines of a part of a log. */
interface LogPage {
  readonly lines: readonly LogLine[];
  /** False if the log has more lines in the same range. */
  readonly isLast: boolean;
}

/** Lines that were found, newest first. All lines from `searchedTo` on were read. */
interface Found {
  readonly lines: readonly LogLine[];
  /** Milliseconds since the epoch. */
  readonly searchedTo: number;
}

/** Length of the first window, and of the shortest, in milliseconds. */
const [firstLength, minLength] = [60_000, 1000];

/**
 * Reads the lines of a range, newest first, although CloudWatch returns the oldest first. So the range is read in
 * windows, from its end: a window with few lines doubles the length of the next one, and a window with more lines
 * than one page is replaced by its last quarter.
 *
 * Yields after each page, so the caller can stop: without lines, if the window has further pages.
 *
 * @param readRange reads the lines in a range of time
 * @param wanted number of lines that the caller needs
 */
export async function* newestLines(
  readRange: (range: LogRange) => AsyncIterable<LogPage>,
  { from, to }: LogRange,
  wanted: number,
): AsyncGenerator<Found> {
  let searchedTo = to + 1;
  let length = firstLength;
  while (searchedTo > from) {
    const start = Math.max(searchedTo - length, from);
    const found: LogLine[] = [];
    let isTooLong = false;
    for await (const { lines, isLast } of readRange({ from: start, to: searchedTo - 1 })) {
      found.push(...lines);
      isTooLong = !isLast && found.length >= wanted && searchedTo - start > minLength;
      if (isTooLong) {
        break;
      }
      yield { lines: [], searchedTo };
    }
    if (isTooLong) {
      length = Math.max(Math.floor((searchedTo - start) / 4), minLength);
      continue;
    }
    searchedTo = start;
    yield { lines: found.sort((a, b) => (placeOf(a) < placeOf(b) ? 1 : -1)), searchedTo };
    length = found.length < wanted ? length * 2 : length;
  }
}

/**
 * Returns the place of a line in a list, as text for an address: its time in milliseconds, and the id of its request.
 * Later places are greater texts.
 */
export function placeOf({ at, members }: LogLine): string {
  return `${at}~${members.request_id}`;
}

/**
 * Returns the time of a place.
 *
 * @throws {OperationError} when the text is not a place in a log
 */
export function timeOfPlace(place: string): number {
  if (!/^\d{1,15}~/.test(place)) {
    throw invalidPlace();
  }
  return Number.parseInt(place, 10);
}
