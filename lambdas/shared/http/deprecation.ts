import { readOptional } from '../environment.ts';
import type { Headers } from './messages.ts';

/**
 * Returns the headers that announce the end of v0 on every response under `/v0`, errors included (docs/api.md
 * 13.4). Call it once, at the start of a function. `Deprecation` is a date of structured fields: an @ and
 * seconds since the epoch (RFC 9745 section 2.1). `Sunset` is an HTTP-date (RFC 8594 section 3), the format
 * of `toUTCString`. Both may be in the future.
 */
export function deprecationHeaders(source?: Readonly<Record<string, string | undefined>>): Headers {
  const deprecatedAt = readOptional('v0DeprecatedAt', source);
  const sunsetAt = readOptional('v0SunsetAt', source);
  return {
    ...(deprecatedAt !== undefined && { deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}` }),
    ...(sunsetAt !== undefined && { sunset: new Date(sunsetAt).toUTCString() }),
  };
}
