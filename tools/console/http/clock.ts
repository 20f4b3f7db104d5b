import { getCookie } from 'hono/cookie';
import type { PageContext } from './environment.ts';

/** Formats times in the time zone that the reader of a page chose. Times are milliseconds since the epoch. */
export type Clock = ReturnType<typeof createClock>;

/**
 * Cookie with the time zone. The script of the page writes it, for a year and for every console of this
 * machine.
 */
const cookieName = 'file-sync-zone';

/** Returns the clock of a request. Without a choice, or with an unknown zone, the clock uses UTC. */
export function clockOf(c: PageContext): Clock {
  try {
    return createClock(getCookie(c, cookieName) || 'UTC');
  } catch {
    return createClock('UTC');
  }
}

/**
 * @param zone `UTC`, or the IANA name of the browser's time zone
 * @throws {RangeError} if the zone does not exist
 */
function createClock(zone: string) {
  // Sweden writes dates as ISO 8601 does.
  const exact = new Intl.DateTimeFormat('sv-SE', { timeZone: zone, dateStyle: 'short', timeStyle: 'medium' });
  return {
    zone,
    /** `2026-01-31 14:05:09` */
    exact: (at: number) => exact.format(at),
  };
}

/**
 * Converts a time that was entered without a zone, such as `2026-01-31T12:00`, from the zone of the reader to
 * UTC.
 */
export function toUtc(text: string, clock: Clock): string {
  if (!/^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2})?)?$/.test(text)) {
    return text;
  }
  const asUtc = Date.parse(`${text.slice(0, 10)}T${text.slice(11) || '00:00'}Z`);
  if (Number.isNaN(asUtc)) {
    return text;
  }
  // The second step corrects times near a clock change.
  const first = asUtc - offsetAt(asUtc, clock);
  return new Date(asUtc - offsetAt(first, clock)).toISOString();
}

/** Returns the offset of the zone from UTC. @param at time in whole seconds */
function offsetAt(at: number, { exact }: Clock): number {
  return Date.parse(`${exact(at).replace(' ', 'T')}Z`) - at;
}
