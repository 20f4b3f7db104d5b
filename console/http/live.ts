import { createHash } from 'node:crypto';
import type { PageContext } from './environment.ts';

/** In this header, a live part says what it shows. */
const seenHeader = 'x-console-seen';

/** The tag of what a live part shows: data as plain JSON. */
export function tagOf(shown: unknown): string {
  return createHash('sha256').update(JSON.stringify(shown)).digest('base64url');
}

/** Whether the live part that asks shows this already. The answer is then 204, and htmx leaves the part as it is. */
export function showsAlready(c: PageContext, tag: string): boolean {
  return c.req.header(seenHeader) === tag;
}
