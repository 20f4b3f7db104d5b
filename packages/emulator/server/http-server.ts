import {
  createServer,
  type IncomingMessage,
  type Server,
  type ServerOptions,
  type ServerResponse,
} from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createConnections, type Refusal } from './connections.ts';
import { createFramingJudge } from './framing.ts';
import { createHostCheck } from './host.ts';

/**
 * Why a request must be refused, whatever it asks for:
 *
 * - `ambiguous`: two servers could understand it differently. The connection ends with the answer;
 * - `misdirected`: its Host is not a name of this server.
 */
export type Flaw = 'ambiguous' | 'misdirected';

/** Answers one request. A request with a flaw gets a refusal. */
export type HandleRequest = (request: IncomingMessage, response: ServerResponse, flaw?: Flaw) => void;

/** Bytes that are no request: what Node's parser could not read, by the code of its error, or a CONNECT. */
export type Unreadable =
  | { readonly kind: 'parse error'; readonly code: string | undefined }
  | { readonly kind: 'connect' };

export interface HttpServerOptions {
  /** 0 lets the system choose. */
  readonly port: number;
  readonly node: ServerOptions;
  /** Answers what comes before {@link HttpServer.serve}. */
  readonly handleEarly: HandleRequest;
  /**
   * Makes the last answer of a connection with bytes that are no request.
   *
   * @param ofBody whether the bytes belong to the body of a request whose head was read
   */
  readonly refuse: (unreadable: Unreadable, ofBody: boolean) => Refusal;
  /** How long a client may pause within a body. By default any time. */
  readonly idleMilliseconds?: number;
  /** Names that a Host header may have besides the loopback names. */
  readonly allowedHosts?: readonly string[] | undefined;
  /** How long requests under way may take once the server closes. */
  readonly graceMilliseconds: number;
}

/** A server that listens on its port. It serves nothing before {@link HttpServer.serve}. */
export interface HttpServer {
  readonly port: number;
  /** @param names that a Host header may have from now on, besides those that were allowed before */
  readonly serve: (handle: HandleRequest, names?: readonly string[]) => void;
  /** Takes no more requests, gives those under way their time, and ends. */
  readonly close: () => Promise<void>;
}

/** All of these are requests. The last two wait until the server wants their body (RFC 9110 section 10.1.1). */
const requestEvents = ['request', 'checkContinue', 'checkExpectation'] as const;

/**
 * Listens on 127.0.0.1. Each request is answered once and in its turn, and a request whose end is unclear ends its
 * connection.
 *
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function openHttpServer(options: HttpServerOptions): Promise<HttpServer> {
  const server = createServer(options.node);
  // The size of the head is limited already. With a limit on their number, Node would silently leave headers out.
  server.maxHeadersCount = 0;
  server.timeout = options.idleMilliseconds ?? 0;
  const { judge, isCondemned } = createFramingJudge();
  const connections = createConnections();
  const serve = (handle: HandleRequest, names: readonly string[] = []) => {
    const namesThisServer = createHostCheck([...(options.allowedHosts ?? []), ...names]);
    const onRequest = (request: IncomingMessage, response: ServerResponse) => {
      // A client that goes away is no failure of the server.
      request.on('error', () => undefined);
      response.on('error', () => undefined);
      const framing = judge(request);
      if (framing === 'behind ambiguous') {
        // It stays unanswered and ends with the connection.
        return;
      }
      connections.note(request, response);
      if (framing === 'ambiguous') {
        response.shouldKeepAlive = false;
        handle(request, response, 'ambiguous');
      } else {
        handle(request, response, namesThisServer(request) ? undefined : 'misdirected');
      }
    };
    for (const event of requestEvents) {
      server.removeAllListeners(event).on(event, onRequest);
    }
  };
  const end = (connection: Duplex, unreadable: Unreadable) => {
    if (isCondemned(connection)) {
      connections.end(connection);
    } else {
      connections.end(connection, (ofBody) => options.refuse(unreadable, ofBody));
    }
  };
  server.on('clientError', (error: NodeJS.ErrnoException, connection) =>
    end(connection, { kind: 'parse error', code: error.code }),
  );
  server.on('connect', (_, connection) => end(connection, { kind: 'connect' }));
  // With a listener, Node does not end the connection by itself. A connection that waits for an answer goes on.
  server.on('timeout', (connection) => {
    if (connections.awaitsBody(connection)) {
      end(connection, { kind: 'parse error', code: 'ERR_HTTP_REQUEST_TIMEOUT' });
    }
  });
  serve(options.handleEarly);
  await listen(server, options.port);
  return {
    port: (server.address() as AddressInfo).port,
    serve,
    close: () => close(server, options.graceMilliseconds),
  };
}

function listen(server: Server, port: number): Promise<void> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, '127.0.0.1', () => {
      server.off('error', reject);
      resolve();
    });
  });
}

async function close(server: Server, graceMilliseconds: number): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), graceMilliseconds);
  await closed;
  clearTimeout(timer);
}
