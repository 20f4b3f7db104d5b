import { openContent } from '../../../operator/files/download.ts';
import type { PageContext } from '../../http/environment.ts';

/** Whatever the client uploaded must never be shown as a page of the console: it could act as one. */
export async function sendContent(c: PageContext, id: string) {
  const { name, content, body } = await openContent(c.var.console.deployment, id);
  // If it is not what was stored, the connection is broken: the browser then knows that the download is not whole.
  return c.body(ReadableStream.from(body), 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(content.size),
    'content-disposition': attachment(name || id),
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

/**
 * The value of Content-Disposition for a file of this name (RFC 6266 section 4.1, RFC 8187). The browser makes it a safe name
 * for its system (RFC 6266 section 4.3).
 */
function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
