import { isIdentifier } from '../contract/identifiers.ts';
import { isScope, type Scope, scopes } from '../contract/scopes.ts';
import { CommandError, UsageError } from './errors.ts';
import { isPrintable, quoted } from './text.ts';

const maximumNameLength = 200;

/**
 * An identifier that something new is given.
 *
 * @throws {UsageError} when the contract's paths could not carry it
 */
export function parseNewIdentifier(value: string, what: 'file' | 'organisation'): string {
  if (!isIdentifier(value)) {
    throw new UsageError(
      `${quoted(value)} is not an identifier of ${what === 'file' ? 'a file' : 'an organisation'}: ` +
        'use 1 to 128 characters of A-Z a-z 0-9 . _ - ~',
    );
  }
  // RFC 3986 section 5.2.4: these two segments vanish from a path, so that no request could ever name them.
  if (value === '.' || value === '..') throw new UsageError(`${quoted(value)} cannot stand in a URL's path.`);
  return value;
}

/**
 * A name for people: 1 to 200 characters, none of them a control character, not only blanks.
 *
 * @throws {UsageError}
 */
export function parseName(value: string): string {
  const length = [...value].length;
  if (value.trim() === '' || length > maximumNameLength) {
    throw new UsageError(
      `A name has 1 to ${maximumNameLength} characters, not only blanks; this has ${length}.`,
    );
  }
  if (!isPrintable(value)) {
    throw new UsageError(`A name has no control characters, and ${quoted(value)} has.`);
  }
  return value;
}

/**
 * The scopes of a client, in the contract's order; repeated ones collapse.
 *
 * @throws {CommandError} naming the scopes that exist, when one does not
 * @throws {UsageError} when there is none
 */
export function parseScopes(values: readonly string[]): readonly Scope[] {
  const known = `The scopes are ${scopes.join(' and ')}.`;
  if (values.length === 0) throw new UsageError(`A client needs at least one --scope. ${known}`);
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined) throw new CommandError(`There is no scope ${quoted(unknown)}. ${known}`);
  return scopes.filter((scope) => values.includes(scope));
}

const secondsPerUnit: Readonly<Record<string, number>> = { s: 1, m: 60, h: 3600, d: 86_400 };

const maximumGraceSeconds = 365 * 86_400;

/**
 * A length of time such as `90s`, `30m`, `12h` or `7d`, in seconds: 0 to 365 days.
 *
 * @throws {UsageError}
 */
export function parseDuration(value: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  const seconds = Number(digits) * (secondsPerUnit[unit ?? ''] ?? Number.NaN);
  if (Number.isNaN(seconds) || seconds > maximumGraceSeconds) {
    throw new UsageError(
      `${quoted(value)} is not a length of time: write a number and s, m, h or d, as in 7d (at most 365d).`,
    );
  }
  return seconds;
}
