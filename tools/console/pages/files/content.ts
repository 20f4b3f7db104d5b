import { openContent } from '../../../operator/files/download.ts';
import type { PageContext } from '../../http/environment.ts';

/** Uploaded content must never be shown as a page of the console: scripts in the content could use the session. */
export async function sendContent(c: PageContext, id: string) {
  const { name, content, body } = await openContent(c.var.console.deployment, id);
  // If the bytes differ from the stored bytes, the connection breaks, and the browser reports a failed
  // download.
  return c.body(ReadableStream.from(body), 200, {
    'content-type': 'application/octet-stream',
    'content-length': String(content.size),
    'content-disposition': attachment(name || id),
    'content-security-policy': "default-src 'none'; sandbox",
  });
}

/**
 * Returns the Content-Disposition for a file name (RFC 6266 section 4.1, RFC 8187). The browser replaces
 * characters that its system does not allow (RFC 6266 section 4.3).
 */
function attachment(name: string): string {
  const encoded = encodeURIComponent(name).replaceAll(
    /['()*]/g,
    (character) => `%${character.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename*=UTF-8''${encoded}`;
}
