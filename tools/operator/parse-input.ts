import { isIdentifier } from '../../contract/identifiers.ts';
import { isScope, type Scope, scopes } from '../../contract/routes.ts';
import { type Timestamp, timestamp } from '../../storage/attributes.ts';
import { InvalidInput } from './errors.ts';
import { isPrintable, quoted } from './text.ts';

const maxNameLength = 200;

/**
 * Parses the identifier of something new.
 *
 * @throws {OperationError} when it cannot be part of a URL's path
 */
export function parseNewIdentifier(value: string, what: 'client' | 'file' | 'organisation'): string {
  // RFC 3986 section 5.2.4: clients remove the segments . and .. from a path, so no request could contain the identifier.
  if (!isIdentifier(value) || value === '.' || value === '..') {
    const article = what === 'organisation' ? 'an' : 'a';
    throw new InvalidInput(
      `${quoted(value)} is not ${article} ${what} id: use 1 to 128 characters of A-Z a-z 0-9 . _ - ~, ` +
        "and not . or .., which cannot be part of a URL's path.",
    );
  }
  return value;
}

/**
 * Parses a display name: 1 to 200 characters. A name may have spaces between visible characters, and no other invisible
 * character, except a joiner or variation selector where it changes what a person sees.
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

/** A joiner or a variation selector after a Latin letter or a space changes nothing that a person sees. */
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

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const maximumDurationSeconds = 365 * 86_400;

/**
 * Parses a duration of 0 to 365 days, such as `90s`, `30m`, `12h` or `7d`.
 *
 * @returns seconds
 *
 * @throws {OperationError}
 */
export function parseDuration(value: string): number {
  const seconds = durationSeconds(value);
  if (Number.isNaN(seconds) || seconds > maximumDurationSeconds) {
    throw new InvalidInput(
      `${quoted(value)} is not a duration: use a number and s, m, h or d, such as 7d (at most 365d).`,
    );
  }
  return seconds;
}

/** The seconds of a duration such as `7d`, or NaN. */
function durationSeconds(value: string): number {
  const [, digits, unit] = /^(\d{1,8})([smhd])$/.exec(value) ?? [];
  return Number(digits) * (secondsPerUnit[unit ?? ''] ?? Number.NaN);
}

/** True unless the time depends on when it is read, as `7d` does. */
export function isFixedTime(value: string): boolean {
  return Number.isNaN(durationSeconds(value));
}

/** Fifty years. Before 1970 there was nothing to list. */
const longestAgoSeconds = 50 * 365 * 86_400;

const isoTime = /^(\d{4}-\d{2}-\d{2}(?:T\d{2}:\d{2}(?::\d{2}(?:\.\d{1,9})?)?)?)(Z|[+-]\d{2}:\d{2})?$/;

/**
 * Parses a time: ISO 8601, or a length of time before `now` such as `2h`. A time without a zone is in UTC, like every time
 * on a terminal.
 *
 * @returns the time, once `now` is known in milliseconds since the epoch
 * @throws {OperationError}
 */
export function parseTime(value: string, option: string): (now: number) => Timestamp {
  const seconds = durationSeconds(value);
  const [, local = '', zone = 'Z'] = isoTime.exec(value) ?? [];
  const time = Date.parse(`${local}${zone}`);
  // The comparisons are also false for what is not a number.
  if (!(time >= 0 || seconds <= longestAgoSeconds)) {
    throw new InvalidInput(
      `${quoted(value)} is not a time for ${option}: use ISO 8601, such as 2026-01-31 or 2026-01-31T12:00:00Z, ` +
        'or a length of time before now, such as 2h or 7d.',
    );
  }
  return (now) => timestamp(new Date(Number.isNaN(seconds) ? time : now - seconds * 1000));
}

/**
 * Parses how many entries of a list to show: 1 or more.
 *
 * @throws {OperationError}
 */
export function parseLimit(value: string): number {
  if (!/^[1-9]\d{0,8}$/.test(value)) {
    throw new InvalidInput(`${quoted(value)} is not a limit: use a whole number from 1 to 999999999.`);
  }
  return Number(value);
}
