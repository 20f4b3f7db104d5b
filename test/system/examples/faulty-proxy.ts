import { once } from 'node:events';
import { createServer, type IncomingHttpHeaders, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { buffer } from 'node:stream/consumers';

/** Kind of a client's request; a client should never send `other`. */
export type Kind = 'token' | 'sync' | 'put' | 'other';

/** Fault of one PUT: the connection breaks before the response, or a response with this status. */
export type Fault = 'lost' | number;

export interface SeenRequest {
  readonly kind: Kind;
  /** Without the query. */
  readonly path: string;
  readonly headers: IncomingHttpHeaders;
}

/** Addresses of a service. */
interface Target {
  readonly baseUrl: string;
  readonly awsEndpoint: string;
}

/** A request, the number of earlier requests of its kind, and the origin of this server. */
type Known = SeenRequest & { readonly earlier: number; readonly origin: string };

/** Starts a server on a free port, which records its requests. */
export async function startServer(
  reply: (request: IncomingMessage, response: ServerResponse, known: Known) => Promise<void>,
) {
  const seen: SeenRequest[] = [];
  const server = createServer((request, response) => {
    const path = (request.url ?? '').split('?')[0] ?? '';
    const one = { kind: kindOf(request.method, path), path, headers: request.headers };
    const earlier = seen.filter(({ kind }) => kind === one.kind).length;
    seen.push(one);
    reply(request, response, { ...one, earlier, origin }).catch(() => response.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    baseUrl: origin,
    seen: seen as readonly SeenRequest[],
    close: async () => {
      const closed = once(server, 'close');
      server.close();
      server.closeAllConnections();
      await closed;
    },
  };
}

/**
 * Starts a proxy between a client and a service: for its API and its storage, since upload URLs also use the
 * proxy.
 *
 * @param faults faults of the first, second ... PUT; later ones are forwarded
 */
export function startFaultyProxy(target: Target, faults: readonly Fault[] = []) {
  return startServer((request, response, { kind, earlier, origin }) =>
    pass(request, response, kind === 'put' ? faults[earlier] : undefined, { ...target, proxyUrl: origin }),
  );
}

function kindOf(method: string | undefined, path: string): Kind {
  if (method === 'POST' && path === '/oauth/token') {
    return 'token';
  }
  if (method === 'POST' && /^\/v0\/files\/[^/]+\/sync$/.test(path)) {
    return 'sync';
  }
  return method === 'PUT' ? 'put' : 'other';
}

async function pass(
  request: IncomingMessage,
  response: ServerResponse,
  fault: Fault | undefined,
  { baseUrl, awsEndpoint, proxyUrl }: Target & { readonly proxyUrl: string },
): Promise<void> {
  const sent = await buffer(request);
  if (typeof fault === 'number') {
    response.writeHead(fault).end(`made up ${fault}`);
  } else {
    const own = [
      'connection',
      'content-length',
      'expect',
      'host',
      'transfer-encoding',
      // Java offers HTTP/2.
      'http2-settings',
      'upgrade',
    ];
    const headers = Object.entries(request.headers).filter(([name]) => !own.includes(name));
    // An upload URL is also rewritten to this server. Its signature covers the storage's own host.
    const target = new URL(request.url ?? '', request.method === 'PUT' ? awsEndpoint : baseUrl);
    const passed = await fetch(target, {
      method: request.method ?? '',
      headers: headers.map(([name, value]) => [name, String(value)] as [string, string]),
      ...(request.method !== 'GET' && { body: sent }),
    });
    const text = (await passed.text()).replaceAll(awsEndpoint, proxyUrl);
    if (fault === 'lost') {
      request.socket.destroy();
      return;
    }
    response.writeHead(passed.status, [...passed.headers].filter(([name]) => !own.includes(name)).flat());
    response.end(text);
  }
}
