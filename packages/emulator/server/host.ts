import type { IncomingMessage } from 'node:http';

/**
 * Decides whether a request names this server. A site can make its own name resolve to 127.0.0.1 (DNS rebinding). Then
 * a page of the site in a browser reaches a server of this machine, and the browser takes the responses for responses of
 * the site. The Host header of such a request names the site.
 */
export type NamesThisServer = (request: IncomingMessage) => boolean;

/** What a person may allow besides the loopback names: a host name or an IP address, without a port. */
export const hostNamePattern = /^(?:[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?|\[[0-9a-f:.]+\])$/i;

/** The text for a rejected client. The text does not repeat the name that the client sent. */
export const misdirectedText =
  'This server answers to 127.0.0.1, [::1], localhost and *.localhost only, so that no web page reaches it under a name of its own. ' +
  'Use one of these in the URL, or allow the name when the server is started.';

/**
 * Makes the check of the Host. Any port is allowed: a tunnel or a container may reach the server by another port, and
 * the name is enough to tell a foreign site.
 *
 * @param allowed names besides 127.0.0.1, [::1], localhost and what ends in .localhost. No site owns a name in
 *   .localhost (RFC 6761 section 6.3)
 */
export function createHostCheck(allowed: readonly string[]): NamesThisServer {
  const names = new Set(['127.0.0.1', '[::1]', 'localhost', ...allowed.map((name) => name.toLowerCase())]);
  const isOurs = (authority: string) => {
    const name = /^(\[[^\]]*\]|[^:]*)(?::\d*)?$/.exec(authority)?.[1]?.toLowerCase().replace(/\.$/, '');
    return name !== undefined && (names.has(name) || /^[a-z0-9._-]+\.localhost$/.test(name));
  };
  return ({ headers, url = '' }) => {
    // In the absolute form, the target decides, and the header does not (RFC 9112 section 3.2.2). Here both must be
    // right.
    const target = /^[a-z][a-z0-9+.-]*:\/\/([^/?#]*)/i.exec(url)?.[1];
    return isOurs(headers.host ?? '') && (target === undefined || isOurs(target));
  };
}
