import { Hono } from 'hono';
import { openContent } from '../../../operator/download.ts';
import type { Env, PageContext } from '../../http/environment.ts';

/** The download of a file's content. */
export const contentPages = new Hono<Env>();

contentPages.get('/:id/content', async (c) => {
  const id = c.req.param('id');
  const { name, content, body } = await openContent(c.var.console.deployment, id);
  setHeaders(c, name || id, content.size);
  // If it is not what was stored, the connection is broken: the browser then knows that the download is not whole.
  return c.body(ReadableStream.from(body));
});

/** Whatever the client uploaded must never be shown as a page of the console: it could act as one. */
function setHeaders(c: PageContext, name: string, size: number): void {
  c.header('content-type', 'application/octet-stream');
  c.header('content-length', String(size));
  c.header('content-disposition', attachment(name));
  c.header('content-security-policy', "default-src 'none'; sandbox");
}

/** The value of Content-Disposition for a file of this name (RFC 6266 section 4.1, RFC 8187). */
export function attachment(name: string): string {
  const safe = safeFileName(name);
  const ascii = safe.replaceAll(/[^\x20-\x7e]/g, '_').replaceAll(/["\\%]/g, '_');
  const extended = encodeURIComponent(safe).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${extended}`;
}

/** Without what leads to another folder, hides the file, or shows its name in another order. 60 characters fit all systems. */
function safeFileName(name: string): string {
  const characters = [...name.replaceAll(/[\p{C}\p{Zl}\p{Zp}/\\:*?"<>|]/gu, '_').replace(/^[. ]+/, '')];
  // The end is kept, because it says what kind of file it is.
  return characters.slice(-60).join('') || 'content';
}
