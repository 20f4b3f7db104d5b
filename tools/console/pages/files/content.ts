import { openContent } from '../../../operator/files/download.ts';
import type { PageContext } from '../../http/environment.ts';

/** Uploaded content must never be shown as a page of the console: scripts in the content could use the session. */
export async function sendContent(c: PageContext, id: string) {
  const { name, content, body } = await openContent(c.var.console.deployment, id);
  // If the bytes differ from the stored bytes, the connection is broken. So the browser knows that the download failed.
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
