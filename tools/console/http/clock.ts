import { getCookie } from 'hono/cookie';
import type { PageContext } from './environment.ts';

/** Times as the reader of a page chose to see them, in one zone. Times are milliseconds since the epoch. */
export interface Clock {
  /** `UTC`, or the IANA name of the zone of the browser. */
  readonly zone: string;
  /** `2026-01-31 14:05:09` */
  readonly exact: (at: number) => string;
}

/** The cookie with the zone. The script of the page writes it, for a year and for every console of this machine. */
const cookieName = 'file-sync-zone';

/** The clock of a request. Without a choice, or with an unknown zone, the clock is in UTC. */
export function clockOf(c: PageContext): Clock {
  try {
    return createClock(getCookie(c, cookieName) || 'UTC');
  } catch {
    return createClock('UTC');
  }
}

/** @throws {RangeError} when there is no such zone */
function createClock(zone: string): Clock {
  // Sweden writes dates as ISO 8601 does.
  const exact = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return { zone, exact: (at) => exact.format(at) };
}

/** Turns a time that was entered without a zone, such as `2026-01-31T12:00`, from the zone of the reader into UTC. */
export function toUtc(text: string, clock: Clock): string {
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?$/.test(text)) {
    return text;
  }
  const asUtc = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00'}Z`);
  if (Number.isNaN(asUtc)) {
    return text;
  }
  // The second step is for times near a change of the clocks.
  const first = asUtc - offsetAt(asUtc, clock);
  return new Date(asUtc - offsetAt(first, clock)).toISOString();
}

/** How far the zone is ahead of UTC. @param at in whole seconds */
function offsetAt(at: number, { exact }: Clock): number {
  return Date.parse(`${exact(at).replace(' ', 'T')}Z`) - at;
}

/** Makes a function that tells whether so many milliseconds have passed since this call. Pages stop reading by it. */
export function timeLimit(now: () => number, milliseconds: number): () => boolean {
  const endsAt = now() + milliseconds;
  return () => now() > endsAt;
}
