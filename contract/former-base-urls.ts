/** A base URL that the deployment had before. Tokens that name it are accepted for a time. */
export interface FormerBaseUrl {
  readonly baseUrl: string;
  /** Milliseconds since the epoch, at a full second. From then on its tokens are refused. */
  readonly acceptedUntil: number;
}

/** A time to the second, in UTC (RFC 3339 section 5.6). */
const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\dZ$/;

/**
 * Reads a time such as `2027-01-31T00:00:00Z`.
 *
 * @returns milliseconds since the epoch; undefined for another text, and for a day that no calendar has
 */
export function parseTime(text: string): number | undefined {
  const milliseconds = time.test(text) ? Date.parse(text) : Number.NaN;
  return Number.isNaN(milliseconds) || formatTime(milliseconds) !== text ? undefined : milliseconds;
}

/** The time as {@link parseTime} reads it. */
export function formatTime(milliseconds: number): string {
  return `${new Date(milliseconds).toISOString().slice(0, 19)}Z`;
}

/**
 * Reads the list that the stack gives to its functions and to its outputs: `URL until TIME`, joined by commas.
 *
 * @param text undefined: there are none
 * @throws {Error} for any other text, so that a function with a wrong list does not start
 */
export function parseFormerBaseUrls(text: string | undefined): readonly FormerBaseUrl[] {
  return text === undefined ? [] : text.split(',').map(parseEntry);
}

/** Writes the list that {@link parseFormerBaseUrls} reads. */
export function formatFormerBaseUrls(list: readonly FormerBaseUrl[]): string {
  return list.map(({ baseUrl, acceptedUntil }) => `${baseUrl} until ${formatTime(acceptedUntil)}`).join(',');
}

function parseEntry(text: string): FormerBaseUrl {
  const [baseUrl = '', until = '', ...rest] = text.split(' until ');
  const acceptedUntil = parseTime(until);
  if (acceptedUntil === undefined || baseUrl === '' || rest.length > 0) {
    throw new Error('A former base URL is not written as URL until TIME');
  }
  return { baseUrl, acceptedUntil };
}

/** @param now milliseconds since the epoch */
export function isAccepted({ acceptedUntil }: FormerBaseUrl, now: number): boolean {
  return now < acceptedUntil;
}
