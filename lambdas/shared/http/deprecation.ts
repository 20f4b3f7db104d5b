import { readOptional } from '../environment.ts';
import type { Headers } from './messages.ts';

/**
 * What every response under `/v0` says about the end of v0, errors included (docs/api.md 13.4): made once, when a function
 * starts. `Deprecation` is a date of structured fields: an @ and seconds since the epoch (RFC 9745 section 2.1). `Sunset`
 * is an HTTP-date (RFC 8594 section 3), whose form `toUTCString` has. Both may be in the future.
 */
export function deprecationHeaders(source?: Readonly<Record<string, string | undefined>>): Headers {
  const deprecatedAt = readOptional('v0DeprecatedAt', source);
  const sunsetAt = readOptional('v0SunsetAt', source);
  return {
    ...(deprecatedAt !== undefined && { deprecation: `@${Math.floor(Date.parse(deprecatedAt) / 1000)}` }),
    ...(sunsetAt !== undefined && { sunset: new Date(sunsetAt).toUTCString() }),
  };
}
