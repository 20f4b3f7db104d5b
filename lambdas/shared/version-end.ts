import type { Gone } from '../../contract/bodies.ts';
import type { Version, VersionEnd, VersionEnds } from '../../contract/versions.ts';
import {
  type Handler,
  type Headers,
  type HttpAnswer,
  jsonAnswer,
  noStore,
  requestFields,
} from './http-messages.ts';
import type { Log } from './log.ts';

/** What the answers of one version say about its end: made once, when the function starts. */
export interface AnnouncedEnd {
  /** For every answer of the version. */
  readonly headers: Headers;
  /** When the version is deprecated, in milliseconds since the epoch. Undefined: no time is set. */
  readonly deprecatedAt?: number;
  readonly sunset?: {
    /** In milliseconds since the epoch. From then on every answer of the version is {@link answer}. */
    readonly at: number;
    readonly answer: HttpAnswer;
  };
}

const noEnd: AnnouncedEnd = { headers: {} };

/** What the answers of a version say about its end; nothing when nothing is set. */
export function announcedEnd(version: Version, ends: VersionEnds): AnnouncedEnd {
  const end = ends[version];
  if (end === undefined) {
    return noEnd;
  }
  const { deprecatedAt, sunsetAt } = end;
  const headers = headersOf(end);
  return {
    headers,
    ...(deprecatedAt === undefined ? {} : { deprecatedAt: Date.parse(deprecatedAt) }),
    ...(sunsetAt === undefined
      ? {}
      : {
          sunset: {
            at: Date.parse(sunsetAt),
            answer: jsonAnswer(410, goneBody(version, sunsetAt, end.notice), { ...noStore, ...headers }),
          },
        }),
  };
}

/**
 * `Deprecation` is a date of structured fields: an @ and seconds since the epoch (RFC 9745 section 2.1, RFC 9651 section
 * 3.3.7). `Sunset` is an HTTP-date (RFC 8594 section 3), whose form `toUTCString` has. Both may be in the future. `Link`
 * names the notice: as documentation of the deprecation (RFC 9745 section 3), and of the end when there is one (RFC 8594
 * section 6).
 */
function headersOf({ deprecatedAt, sunsetAt, notice }: VersionEnd): Headers {
  const relations = ['deprecation', ...(sunsetAt === undefined ? [] : ['sunset'])];
  return {
    ...(deprecatedAt === undefined ? {} : { deprecation: `@${Date.parse(deprecatedAt) / 1000}` }),
    ...(sunsetAt === undefined ? {} : { sunset: new Date(sunsetAt).toUTCString() }),
    ...(notice === undefined
      ? {}
      : { link: relations.map((relation) => `<${notice}>; rel="${relation}"`).join(', ') }),
  };
}

/** The body of the 410 (docs/api.md 13.6). */
export function goneBody(version: Version, sunsetAt: string, notice: string | undefined): Gone {
  const next = notice === undefined ? 'ask the operator what to use in its place' : `see ${notice}`;
  return { error: 'gone', error_description: `Version ${version} of this API ended at ${sunsetAt}; ${next}` };
}

/**
 * The handler until the version ends, and 410 from then on (RFC 9110 section 15.5.11). A version without an end gets its
 * handler back as it is, so that a request costs nothing.
 *
 * @param now milliseconds since the epoch
 */
export function untilSunset(
  version: Version,
  handler: Handler,
  { sunset }: AnnouncedEnd,
  { now, log }: { readonly now: () => number; readonly log: Log },
): Handler {
  if (sunset === undefined) {
    return handler;
  }
  return async (event) => {
    if (now() < sunset.at) {
      return handler(event);
    }
    const refusal = { version, status: 410, refusal: 'gone', reason: 'The version has ended' };
    log('WARN', 'requestRefused', { ...requestFields(event), ...refusal });
    return sunset.answer;
  };
}
