import type { IncomingMessage } from 'node:http';

/**
 * Returns true if a request names this server. A site can resolve its own name to 127.0.0.1 (DNS rebinding).
 * Its page in a browser can then reach a server of this machine, and the browser treats the responses as
 * responses of the site. The Host header of such a request names the site.
 */
type HostCheck = (request: IncomingMessage) => boolean;

/** Form of an allowed host besides the loopback names: a host name or an IP address, without a port. */
export const hostNamePattern = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

/** Response text for a rejected client. It does not repeat the name that the client sent. */
export const misdirectedText =
  'This server accepts only the hosts 127.0.0.1, [::1], localhost and *.localhost, so that no web page can reach it under its own name. ' +
  'Use one of these in the URL, or allow the name when the server is started.';

/**
 * Creates the check of the Host. Any port is allowed: a tunnel or a container may reach the server by another
 * port, and the name identifies a foreign site.
 *
 * @param allowed accepted names, besides 127.0.0.1, [::1], localhost and names that end in .localhost. No
 * site owns a name in .localhost (RFC 6761 section 6.3)
 */
export function createHostCheck(allowed: readonly string[]): HostCheck {
  const names = new Set(['127.0.0.1', '[::1]', 'localhost', ...allowed.map((name) => name.toLowerCase())]);
  const hasAllowedHost = (authority: string) => {
    const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority)?.[1]?.toLowerCase().replace(/\.$/, '');
    return name !== undefined && (names.has(name) || /^[a-z0-9._-]+\.localhost$/.test(name));
  };
  return ({ headers, url = '' }) => {
    // In the absolute form, the target takes precedence over the header (RFC 9112 section 3.2.2). Here both
    // must be right.
    const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    return hasAllowedHost(headers.host ?? '') && (target === undefined || hasAllowedHost(target));
  };
}
