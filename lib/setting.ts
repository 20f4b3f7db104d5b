/** One setting: its default, its allowed values and its meaning. */
export interface Setting<Value> {
  readonly fallback: Value;
  /** The default, for people. */
  readonly fallbackText: string;
  /** Completes "it must be ...". */
  readonly allowed: string;
  readonly meaning: string;
  /** Two allowed values that are far apart: the least and the greatest, or the first and the last. */
  readonly ends: readonly [Value, Value];
  /** Reads a value of the context, which is text or JSON. Returns undefined when the value is not allowed. */
  readonly parse: (given: unknown) => { readonly value: Value } | undefined;
}

/** A setting that must be one of some values. */
export function oneOf<const Value extends string>(
  values: readonly [Value, ...Value[]],
  { fallback, meaning }: { readonly fallback: NoInfer<Value>; readonly meaning: string },
): Setting<Value> {
  return {
    fallback,
    fallbackText: fallback,
    allowed: values.join(' or '),
    meaning,
    ends: [values[0], values.at(-1) ?? values[0]],
    parse: (given) => {
      const value = values.find((candidate) => candidate === given);
      return value === undefined ? undefined : { value };
    },
  };
}

/** A setting that must be a whole number from `minimum` to `maximum`. */
export function integer(options: {
  readonly fallback: number;
  readonly minimum: number;
  readonly maximum: number;
  readonly meaning: string;
}): Setting<number> {
  const { fallback, minimum, maximum, meaning } = options;
  return {
    fallback,
    fallbackText: String(fallback),
    allowed: `a whole number from ${minimum} to ${maximum}`,
    meaning,
    ends: [minimum, maximum],
    parse: (given) => {
      const value = typeof given === 'string' && /^\d{1,10}$/.test(given) ? Number(given) : given;
      if (typeof value !== 'number' || !Number.isInteger(value)) {
        return undefined;
      }
      return value >= minimum && value <= maximum ? { value } : undefined;
    },
  };
}

/** A setting that must be `forever`, which is the default, or a whole number of days. */
export function daysOrForever(options: {
  readonly minimum: number;
  readonly maximum: number;
  readonly meaning: string;
}): Setting<number | 'forever'> {
  const days = integer({ ...options, fallback: options.maximum });
  return {
    fallback: 'forever',
    fallbackText: 'forever',
    allowed: `forever or ${days.allowed}`,
    meaning: options.meaning,
    ends: [options.minimum, 'forever'],
    parse: (given) => (given === 'forever' ? { value: given } : days.parse(given)),
  };
}

/** A date and a time of RFC 3339 section 5.6, with its offset from UTC. */
const dateTime = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(?:\.\d{1,9})?(?:Z|[+-]\d\d:\d\d)$/;

/** The start of what `toISOString` makes of a year with four digits. */
const secondsOf = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d/;

/**
 * A setting that must be a time, or nothing. Its value is in UTC and whole seconds, since the headers that are made from
 * it have no parts of a second.
 *
 * @param options.example a time, for the tests of all settings together
 */
export function time(options: {
  readonly meaning: string;
  readonly example: string;
}): Setting<string | undefined> {
  return {
    fallback: undefined,
    fallbackText: 'none',
    meaning: options.meaning,
    ends: [undefined, options.example],
    allowed:
      'a date and a time as ISO 8601 writes them, with the offset from UTC, such as 2030-01-31T00:00:00Z',
    parse: (given) => {
      const milliseconds = typeof given === 'string' && isDateTime(given) ? Date.parse(given) : Number.NaN;
      // A time that its offset moves into the year 10000 or before the year 0 is none.
      const [seconds] = Number.isNaN(milliseconds)
        ? []
        : (secondsOf.exec(new Date(milliseconds).toISOString()) ?? []);
      return seconds === undefined ? undefined : { value: `${seconds}Z` };
    },
  };
}

/** `Date.parse` takes a day that the month does not have, such as 31 June, for one of the next month. */
function isDateTime(text: string): boolean {
  const day = text.slice(0, 10);
  const midnight = Date.parse(`${day}T00:00:00Z`);
  return dateTime.test(text) && !Number.isNaN(midnight) && new Date(midnight).toISOString().startsWith(day);
}

const loopbackHosts = ['127.0.0.1', 'localhost', '[::1]'];

/**
 * A setting that must be an origin (RFC 6454 section 6.2), written exactly as a URL parser writes it: without path,
 * query, fragment, user, default port or trailing slash. Clients compare the issuer as text (RFC 8414 section 3.3).
 */
export function origin(options: {
  readonly fallback: string | undefined;
  readonly fallbackText: string;
  readonly meaning: string;
}): Setting<string | undefined> {
  return {
    ...options,
    ends: [options.fallback, 'https://files.example.com'],
    allowed:
      'an https URL in lower-case ASCII, without a user, default port (443), path, query, fragment or trailing slash ' +
      '(http only on loopback)',
    parse: (given) => (typeof given === 'string' && isOrigin(given) ? { value: given } : undefined),
  };
}

/** Longest address that a mail can be sent to (RFC 5321 section 4.5.3.1.3, without the angle brackets). */
const longestAddress = 254;

/**
 * A setting that looks like an address of mail (RFC 5321 section 4.1.2), or is absent. Only a mail shows whether there is
 * such a mailbox, so this finds what was pasted wrongly. Quoted names and addresses of hosts by number are refused.
 */
export function emailAddress({ meaning }: { readonly meaning: string }): Setting<string | undefined> {
  return {
    fallback: undefined,
    fallbackText: 'none',
    meaning,
    ends: [undefined, 'alarms@example.com'],
    allowed: 'an address such as alarms@example.com',
    parse: (given) => {
      const isAddress =
        typeof given === 'string' && given.length <= longestAddress && addressPattern.test(given);
      return isAddress ? { value: given } : undefined;
    },
  };
}

/** Words of atoms with dots between them, and a domain of two labels at least. */
const addressPattern =
  /^[\w!#$%&'*+/=?^`{|}~-]+(?:\.[\w!#$%&'*+/=?^`{|}~-]+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z](?:[a-z\d-]{0,61}[a-z\d])$/i;

/**
 * A setting that is the ARN of a standard topic of SNS, or absent. CloudWatch notifies no FIFO topic, whose name ends in
 * `.fifo` (CloudWatch User Guide, "Notifying users on alarm changes").
 */
export function topicArn({ meaning }: { readonly meaning: string }): Setting<string | undefined> {
  return {
    fallback: undefined,
    fallbackText: 'none',
    meaning,
    ends: [undefined, 'arn:aws:sns:us-east-1:000000000000:alarms'],
    allowed: 'the ARN of a standard SNS topic, such as arn:aws:sns:eu-central-1:123456789012:alarms',
    parse: (given) =>
      typeof given === 'string' && /^arn:aws[a-z-]*:sns:[a-z\d-]+:\d{12}:[\w-]{1,256}$/.test(given)
        ? { value: given }
        : undefined,
  };
}

/** Whether the text is an origin as {@link origin} takes it. */
export function isOrigin(text: string): boolean {
  if (!URL.canParse(text)) {
    return false;
  }
  const { protocol, origin: written } = new URL(text);
  return written === text && (protocol === 'https:' || (protocol === 'http:' && isLoopback(text)));
}

/** Whether the URL leads to this machine. */
export function isLoopback(url: string): boolean {
  return loopbackHosts.includes(new URL(url).hostname);
}

const shortestPart = 4;
const maximumEdits = 2;

/** Whether `given` is probably a misspelling of `known`: one begins with the other, or they differ by two letters. */
export function resembles(given: string, known: string): boolean {
  const [written, meant] = [plain(given), plain(known)];
  if (written.length >= shortestPart && (meant.startsWith(written) || written.startsWith(meant))) {
    return true;
  }
  return (
    Math.abs(written.length - meant.length) <= maximumEdits && editDistance(written, meant) <= maximumEdits
  );
}

function plain(text: string): string {
  return text.toLowerCase().replaceAll(/[-_]/g, '');
}

/** Levenshtein distance, one row at a time. */
function editDistance(from: string, to: string): number {
  let row = Array.from({ length: to.length + 1 }, (_, index) => index);
  for (const [above, letter] of [...from].entries()) {
    const next = [above + 1];
    for (const [left, other] of [...to].entries()) {
      const replaced = (row[left] ?? 0) + (letter === other ? 0 : 1);
      next.push(Math.min(replaced, (row[left + 1] ?? 0) + 1, (next[left] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
