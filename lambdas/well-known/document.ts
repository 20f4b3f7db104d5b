import { createHash } from 'node:crypto';
import { documentMaxAgeSeconds } from '../../contract/limits.ts';
import type { HttpAnswer } from '../shared/http.ts';

/** A public document, ready to answer with. */
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

/** Answers with the document, or with 304 when the client has it already (RFC 9110 section 15.4.5). */
export function answerWith({ body, etag }: Document, ifNoneMatch: string | undefined): HttpAnswer {
  // The type on the 304 too: API Gateway would add text/plain, which caches take over (RFC 9111 section 3.2).
  const headers = {
    'content-type': 'application/json',
    etag,
    'cache-control': `public, max-age=${documentMaxAgeSeconds}`,
  };
  return matches(ifNoneMatch, etag) ? { statusCode: 304, headers } : { statusCode: 200, headers, body };
}

/** If-None-Match: `*` or a list, compared weakly (RFC 9110 sections 13.1.2 and 8.8.3.2). */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false;
  }
  // Ours holds no comma, so a tag that does cannot be cut into ours: the quotes would be missing.
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? tags.length === 1 : tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
