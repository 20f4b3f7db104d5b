import { createHash } from 'node:crypto';
import { documentMaxAgeSeconds } from '../../contract/limits.ts';
import type { Headers, HttpResponse } from '../shared/http/messages.ts';

/** A public document, ready to send. */
export interface Document {
  readonly body: string;
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
}

export function createDocument(content: unknown): Document {
  const body = JSON.stringify(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  return { body, etag: `"${digest.slice(0, 22)}"` };
}

/**
 * Responds with the document and these headers, or with 304 if the client already has it (RFC 9110 section
 * 15.4.5).
 */
export function respondWith(
  { body, etag }: Document,
  ifNoneMatch: string | undefined,
  more: Headers = {},
): HttpResponse {
  // The 304 needs its content type too: API Gateway would add text/plain, and caches would store that
  // (RFC 9111 section 3.2).
  const headers = {
    'content-type': 'application/json',
    etag,
    'cache-control': `public, max-age=${documentMaxAgeSeconds}`,
    ...more,
  };
  return matches(ifNoneMatch, etag) ? { statusCode: 304, headers } : { statusCode: 200, headers, body };
}

/**
 * True if If-None-Match matches the tag: `*` or a list, compared weakly (RFC 9110 sections 13.1.2 and
 * 8.8.3.2).
 */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false;
  }
  // Splitting at commas is safe: our tag contains no comma, and a piece of a longer tag lacks a quotation
  // mark.
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? tags.length === 1 : tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
