import { isIdentifier } from '../../contract/identifiers.ts';
import { isScope, type Scope, scopes } from '../../contract/scopes.ts';
import { UsageError } from '../errors.ts';
import { isPrintable, quoted } from '../text.ts';

const maximumNameLength = 200;

/**
 * Parses the identifier of something new.
 *
 * @throws {UsageError} when it cannot be part of a URL's path
 */
export function parseNewIdentifier(value: string, what: 'file' | 'organisation'): string {
  if (!isIdentifier(value)) {
    throw new UsageError(
      `${quoted(value)} is not ${what === 'file' ? 'a file id' : 'an organisation id'}: ` +
        'use 1 to 128 characters of A-Z a-z 0-9 . _ - ~',
    );
  }
  // RFC 3986 section 5.2.4: these two segments are removed from a path, so no request could contain them.
  if (value === '.' || value === '..') {
    throw new UsageError(`${quoted(value)} cannot be part of a URL's path: choose another identifier.`);
  }
  return value;
}

/**
 * Parses a display name: 1 to 200 characters, no control characters, not only spaces.
 *
 * @throws {UsageError}
 */
export function parseName(value: string): string {
  const length = [...value].length;
  if (value.trim() === '' || length > maximumNameLength) {
    throw new UsageError(
      `A name must have 1 to ${maximumNameLength} characters, not only spaces; this one has ${length}.`,
    );
  }
  if (!isPrintable(value)) {
    throw new UsageError(`A name must not have control characters: ${quoted(value)}.`);
  }
  return value;
}

/**
 * Parses the scopes of a client. Returns them in the contract's order, without duplicates.
 *
 * @throws {UsageError} when there is no scope, or a scope does not exist
 */
export function parseScopes(values: readonly string[]): readonly Scope[] {
  const known = `The scopes are ${scopes.join(' and ')}.`;
  if (values.length === 0) {
    throw new UsageError(`A client needs at least one --scope. ${known}`);
  }
  const unknown = values.find((value) => !isScope(value));
  if (unknown !== undefined) {
    throw new UsageError(`There is no scope ${quoted(unknown)}. ${known}`);
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
 * @throws {UsageError}
 */
export function parseDuration(value: string): number {
  const [, digits, unit] = /^(\d{1,9})([smhd])$/.exec(value) ?? [];
  const seconds = Number(digits) * (secondsPerUnit[unit ?? ''] ?? Number.NaN);
  if (Number.isNaN(seconds) || seconds > maximumDurationSeconds) {
    throw new UsageError(
      `${quoted(value)} is not a duration: use a number and s, m, h or d, such as 7d (at most 365d).`,
    );
  }
  return seconds;
}
