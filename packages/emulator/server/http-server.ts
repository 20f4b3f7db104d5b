import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createHostCheck } from './host.ts';
import type { HttpResponse } from './write-response.ts';

/**
 * @param hasAllowedHost true if the Host of the request is a name of this server. If false, the request must be
 * rejected.
 */
export type HandleRequest = (
  request: IncomingMessage,
  response: ServerResponse,
  hasAllowedHost: boolean,
) => void;

interface HttpServerOptions {
  /** Port number; 0 lets the system choose. */
  readonly port: number;
  readonly node: ServerOptions;
  /** Handles requests that come before {@link HttpServer.serve}. */
  readonly handleEarly: HandleRequest;
  /**
   * Creates the last response on a connection, to bytes that are not a request.
   *
   * @param code error code of Node's parser
   */
  readonly reject: (code: string | undefined) => HttpResponse;
  /** Maximum pause of a client within a body. Default: no limit. */
  readonly idleMilliseconds?: number;
  /** Accepted names in the Host header, besides the loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** Maximum time of open requests after the server begins to close. */
  readonly maxGraceMilliseconds: number;
}

/** A server that listens on its port. It serves no requests before {@link HttpServer.serve}. */
interface HttpServer {
  readonly port: number;
  readonly serve: (handle: HandleRequest) => void;
  /** Accepts no new requests, waits for open ones up to their limit, and closes the server. */
  readonly close: () => Promise<void>;
}

/** Maximum time for a client to notice that the connection has ended. */
const maxLingerMilliseconds = 1000;

/**
 * Listens on 127.0.0.1. Node's parser decides if bytes are a request. Rejected bytes receive a last response,
 * unless a response to an earlier request is due on the connection.
 *
 * @throws {Error} with code EADDRINUSE when the port is in use
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer(options.node);
  // The size of the head is already limited. With a limit on the number of headers, Node would silently drop
  // headers.
  server.maxHeadersCount = 0;
  server.timeout = options.idleMilliseconds ?? 0;
  const last = new WeakMap<object, { request: IncomingMessage; response: ServerResponse }>();
  const ended = new WeakSet<object>();
  const end = (connection: Duplex, code: string | undefined) => {
    // After a failure, the parser fails again for every byte that arrives.
    if (ended.has(connection)) {
      return;
    }
    ended.add(connection);
    connection.on('error', () => undefined);
    const { request, response } = last.get(connection) ?? {};
    const isResponseDue = response?.writableFinished === false && (request?.complete || response.headersSent);
    if (isResponseDue || !connection.writable) {
      connection.destroy();
    } else {
      sendLast(connection, options.reject(code));
    }
  };
  const isAllowedHost = createHostCheck(options.allowedHosts ?? []);
  const serve = (handle: HandleRequest) => {
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      // A disconnected client is not a failure of the server.
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      last.set(request.socket, { request, response });
      // Node accepts an empty Transfer-Encoding in addition to a length. Two programs that trust different
      // headers would see different bodies (RFC 9112 section 6.3).
      if ('transfer-encoding' in request.headers && 'content-length' in request.headers) {
        end(request.socket, undefined);
        return;
      }
      handle(request, response, isAllowedHost(request));
    };
    for (const event of ['request', 'checkContinue'] as const) {
      server.removeAllListeners(event).on(event, onRequest);
    }
  };
  server.on('clientError', (error: NodeJS.ErrnoException, connection) => end(connection, error.code));
  // With a listener, Node does not end the connection. A connection that waits for a response must continue.
  server.on('timeout', (connection) => {
    if (last.get(connection)?.request.complete === false) {
      end(connection, 'ERR_HTTP_REQUEST_TIMEOUT');
    }
  });
  serve(options.handleEarly);
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    close: () => close(server, options.maxGraceMilliseconds),
  };
}

/** Returns the headers by lower-case name. Values of a repeated header are joined by commas, in order. */
export function joinHeaders({ headersDistinct }: IncomingMessage): Record<string, string> {
  return Object.fromEntries(
    Object.entries(headersDistinct).map(([name, values = []]) => [name, values.join(',')]),
  );
}

/** Returns true if the client waits for `100 Continue` before it sends the body. */
export function expectsContinue({ headers }: IncomingMessage): boolean {
  return headers.expect?.toLowerCase() === '100-continue';
}

/**
 * Sends the last response and ends, but continues to read for a moment. A connection that is closed with unread bytes is
 * reset, and the client may then lose the response (RFC 9112 section 9.6).
 */
function sendLast(connection: Duplex, { status, headers = {}, body = '' }: HttpResponse): void {
  const content = Buffer.from(body);
  const lines = [
    `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    `content-length: ${content.length}`,
    'connection: close',
  ];
  connection.resume();
  connection.end(Buffer.concat([Buffer.from(`${lines.join('\r\n')}\r\n\r\n`), content]));
  const timer = setTimeout(() => connection.destroy(), maxLingerMilliseconds);
  connection.once('close', () => clearTimeout(timer));
}

/** Listens on 127.0.0.1. @param port port number; 0 lets the system choose */
export function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

/** Accepts no new requests, and waits for open ones up to their limit. */
export async function close(server: Server, maxGraceMilliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), maxGraceMilliseconds);
  await closed;
  clearTimeout(timer);
}
