import { parseAddressRanges } from '../../contract/address-ranges.ts';
import { isIdentifier } from '../../contract/identifiers.ts';
import { isScope, type Scope, scopes } from '../../contract/routes.ts';
import { type Timestamp, timestamp } from '../../storage/attributes.ts';
import { InvalidInput } from './errors.ts';
import { isPrintable, quoted } from './text.ts';

const maxNameLength = 200;

/**
 * Parses the identifier of a new entity.
 *
 * @throws {OperationError} when the identifier cannot be part of a URL's path
 */
export function parseNewIdentifier(value: string, what: 'client' | 'file' | 'organisation'): string {
  // Clients remove the segments . and .. from a path (RFC 3986 section 5.2.4), so no request could contain
  // these identifiers.
  if (!isIdentifier(value) || value === '.' || value === '..') {
    throw new InvalidInput(
      `${quoted(value)} cannot be the id of the ${what}: use 1 to 128 characters of A-Z a-z 0-9 . _ - ~, ` +
        "and not . or .., which cannot be part of a URL's path.",
    );
  }
  return value;
}

/**
 * Parses a display name: 1 to 200 characters. Spaces are allowed between visible characters. Other invisible
 * characters are rejected, except a joiner or variation selector that changes the visible text.
 *
 * @throws {OperationError}
 */
export function parseName(value: string): string {
  const length = [...value].length;
  if (value.replace(/\s|\u200c|\u200d|[\ufe00-\ufe0f]/g, '') === '' || length > maxNameLength) {
    throw new InvalidInput(
      `A name must have 1 to ${maxNameLength} characters, not only spaces; this one has ${length}.`,
    );
  }
  if (!isPrintable(value) || joinedLatin.test(value)) {
    throw new InvalidInput(
      `A name must not have control characters or invisible characters: ${quoted(value)}.`,
    );
  }
  return value;
}

/** A joiner or a variation selector after a Latin letter or a space does not change the visible text. */
const joinedLatin = /[\p{Script=Latin}\s](?:\u200c|\u200d|[\ufe00-\ufe0f])/u;

/**
 * Parses the scopes of a client. Returns them in the contract's order, without duplicates.
 *
 * @throws {OperationError} when there is no scope, or a scope does not exist
 */
export function parseScopes(values: readonly string[]): readonly Scope[] {
  const known = `The scopes are ${scopes.join(' and ')}.`;
  if (values.length === 0) {
    throw new InvalidInput(`A client needs at least one scope. ${known}`);
  }
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined) {
    throw new InvalidInput(`There is no scope ${quoted(unknown)}. ${known}`);
  }
  return scopes.filter((scope) => values.includes(scope));
}

/** Input in place of ranges, to allow every address. */
export const anyAddress = 'any';

/**
 * Parses the ranges of addresses of a client, separated by commas or spaces. Returns them in their canonical text.
 *
 * @returns undefined for `any`: every address is allowed
 * @throws {OperationError} when a text is not a range, or two ranges overlap
 */
export function parseAddresses(values: readonly string[]): readonly string[] | undefined {
  const given = values.join(' ').trim();
  if (given === anyAddress) {
    return undefined;
  }
  const { ranges, rejected } = parseAddressRanges(given.split(/[\s,]+/));
  if (rejected !== undefined) {
    throw new InvalidInput(`${quoted(rejected.text)} ${rejected.reason}.`);
  }
  return ranges;
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

/**
 * Parses a duration such as `90s`, `30m`, `12h` or `7d`.
 *
 * @returns seconds
 *
 * @throws {OperationError}
 */
export function parseDuration(value: string, minSeconds = 0, maxDays = 365): number {
  const seconds = durationSeconds(value);
  if (!(seconds >= minSeconds && seconds <= maxDays * 86_400)) {
    throw new InvalidInput(
      `${quoted(value)} is not a duration from ${durationText(minSeconds)} to ${maxDays}d: use a number and s, m, h or d, such as 7d.`,
    );
  }
  return seconds;
}

/** Formats a duration for {@link parseDuration}, in the largest unit without a fraction. */
export function durationText(seconds: number): string {
  const isWhole = ([, size]: [string, number]) => seconds >= size && seconds % size === 0;
  const [unit, size] = Object.entries(secondsPerUnit).findLast(isWhole) ?? ['s', 1];
  return `${seconds / size}${unit}`;
}

/**
 * Parses the interval at which content of a file must arrive: 15 minutes, which are three runs of the check, to
 * 400 days.
 *
 * @returns seconds; undefined for `never`: the file is not watched
 * @throws {OperationError}
 */
export function parseInterval(value: string): number | undefined {
  return value === 'never' ? undefined : parseDuration(value, 900, maxIntervalDays);
}

/** Parses the additional time before a file is overdue, up to 400 days. @throws {OperationError} */
export function parseGrace(value: string): number {
  return parseDuration(value, 0, maxIntervalDays);
}

const maxIntervalDays = 400;

/** Parses the interval and the grace time in a state file. Undefined for `never`. @throws {OperationError} */
export function parseExpected({ every, grace }: { readonly every: string; readonly grace: string }) {
  const every_seconds = parseInterval(every);
  const grace_seconds = parseGrace(grace);
  return every_seconds === undefined ? undefined : { every_seconds, grace_seconds };
}

/** Returns the seconds of a duration such as `7d`, or NaN. */
function durationSeconds(value: string): number {
  const [, digits, unit] = /^(\d{1,8})([smhd])$/.exec(value) ?? [];
  return Number(digits) * (secondsPerUnit[unit ?? ''] ?? Number.NaN);
}

/** Fifty years. No entity is from before 1970. */
const maxAgeSeconds = 50 * 365 * 86_400;

const isoTime = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Parses a time: ISO 8601, or a duration before `now` such as `2h`. A time without a zone is in UTC, like
 * every time on a terminal.
 *
 * @returns a function from `now`, in milliseconds since the epoch, to the time
 * @throws {OperationError}
 */
export function parseTime(value: string, option: string): (now: number) => Timestamp {
  const seconds = durationSeconds(value);
  const [, local = '', zone = 'Z'] = isoTime.exec(value) ?? [];
  const time = Date.parse(`${local}${zone}`);
  // The comparisons are also false for NaN.
  if (!(time >= 0 || seconds <= maxAgeSeconds)) {
    throw new InvalidInput(
      `${quoted(value)} is not a time for ${option}: use ISO 8601, such as 2026-01-31 or 2026-01-31T12:00, or a length of time before now, such as 2h or 7d.`,
    );
  }
  return (now) => timestamp(Number.isNaN(seconds) ? time : now - seconds * 1000);
}

/**
 * Parses the limit of a list: 1 or more entries.
 *
 * @throws {OperationError}
 */
export function parseLimit(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    throw new InvalidInput(`${quoted(value)} is not a limit: use a whole number from 1 to 999999999.`);
  }
  return Number(value);
}
