import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerOptions, ServerResponse } from 'node:http';
import { expectsContinue, joinHeaders, openHttpServer } from '../server/http-server.ts';
import { readWholeBody } from '../server/read-body.ts';
import { writeResponse } from '../server/write-response.ts';
import type { AccessLogEntry } from './access-log.ts';
import {
  admit,
  callFunction,
  type GatewayDependencies,
  type GatewayOutcome,
  type RequestHead,
} from './handle-request.ts';
import { loopbackName, maxBodyBytes } from './request-event.ts';
import { type GatewayResponse, gatewayResponses, parserErrorResponse } from './response.ts';

export interface GatewayOptions extends GatewayDependencies {
  readonly accountId: string;
  readonly logAccess: (entry: AccessLogEntry) => void;
}

/** Server of the HTTP API. It listens on its port, and responds with 503 until it serves an API. */
export interface GatewayServer {
  readonly port: number;
  /** URL of the API: `http://127.0.0.1:3000`. */
  readonly baseUrl: string;
  readonly serve: (options: GatewayOptions) => void;
  /** Accepts no new requests, waits briefly for open ones, and closes the server. */
  readonly close: () => Promise<void>;
}

/** Maximum bytes of the request line plus the headers (API Gateway, "Quotas for HTTP APIs"). */
const maxHeadBytes = 10_240;

/** With these options Node rejects malformed requests, and requests with both Content-Length and Transfer-Encoding. */
const serverOptions: ServerOptions = {
  insecureHTTPParser: false,
  requireHostHeader: true,
  maxHeaderSize: 16_384,
  headersTimeout: 10_000,
  requestTimeout: 60_000,
  keepAliveTimeout: 75_000,
  connectionsCheckingInterval: 2000,
};

/**
 * Listens on a port of 127.0.0.1. The port is opened before the API is known because the app may need its
 * URL.
 *
 * @param port port number; 0 lets the system choose
 * @param allowedHosts accepted names in the Host header, besides the loopback names
 * @param createRequestId function that creates the value of `apigw-requestid`
 * @throws {Error} with code EADDRINUSE when the port is in use
 */
export async function openGateway(
  port: number,
  allowedHosts: readonly string[] = [],
  createRequestId = randomRequestId,
): Promise<GatewayServer> {
  const server = await openHttpServer({
    port,
    node: serverOptions,
    allowedHosts,
    handleEarly: (request, response, hasAllowedHost) => {
      const respond = hasAllowedHost ? gatewayResponses.unavailable : gatewayResponses.misdirected;
      void write(request, response, respond, createRequestId());
    },
    reject: (code) => parserErrorResponse(code, createRequestId()),
    maxGraceMilliseconds: 3000,
  });
  const host = `127.0.0.1:${server.port}`;
  let closed = false;
  return {
    port: server.port,
    baseUrl: `http://${host}`,
    serve: (served) => {
      // A function that the end of the emulator interrupts did not fail, and no client is left to respond to.
      const logAccess: typeof served.logAccess = (entry) => closed || served.logAccess(entry);
      const options = { ...served, logAccess };
      server.serve((request, response, hasAllowedHost) => {
        const requestId = createRequestId();
        void (hasAllowedHost
          ? respond({ request, response, requestId, host }, options)
          : write(request, response, gatewayResponses.misdirected, requestId));
      });
    },
    close: async () => {
      await server.close();
      closed = true;
    },
  };
}

function write(
  request: IncomingMessage,
  response: ServerResponse,
  { status, headers, body }: GatewayResponse,
  requestId: string,
): Promise<void> {
  return writeResponse(request, response, {
    status,
    headers: { ...headers, 'apigw-requestid': requestId },
    body,
  });
}

function randomRequestId(): string {
  return `${randomBytes(11).toString('base64url')}=`;
}

interface Exchange {
  readonly request: IncomingMessage;
  readonly response: ServerResponse;
  readonly requestId: string;
  /** Host and port of the base URL. */
  readonly host: string;
}

async function respond(exchange: Exchange, options: GatewayOptions): Promise<void> {
  const { request, response, requestId } = exchange;
  const startedAt = options.now();
  const head = readHead(request);
  try {
    const outcome = await decide(exchange, head, options);
    const written = write(request, response, outcome.response, requestId);
    options.logAccess(describe(exchange, head, outcome, startedAt, options));
    await written;
  } catch {
    // The client disconnected, or the response cannot be written: no error can be sent.
    response.destroy();
  }
}

async function decide(
  exchange: Exchange,
  head: RequestHead,
  options: GatewayOptions,
): Promise<GatewayOutcome> {
  const { request, response, requestId, host } = exchange;
  const { accountId, api } = options;
  if (headBytes(request) > maxHeadBytes) {
    return { response: gatewayResponses.headersTooLarge };
  }
  const match = admit(head, options);
  if ('response' in match) {
    return match;
  }
  const { routeKey } = match.route;
  const tooLarge = { response: gatewayResponses.entityTooLarge, routeKey };
  if (Number(request.headers['content-length'] ?? 0) > maxBodyBytes) {
    return tooLarge;
  }
  if (expectsContinue(request)) {
    response.writeContinue();
  }
  const body = await readWholeBody(request, maxBodyBytes);
  if (!body) {
    return tooLarge;
  }
  const { apiId } = api;
  const settings = { accountId, apiId, host, requestId, now: new Date(options.now()) };
  return callFunction({ ...head, body }, match, settings, options);
}

function readHead(request: IncomingMessage): RequestHead {
  const target = pathAndQuery(request.url ?? '/');
  const mark = target.indexOf('?');
  return {
    method: request.method ?? '',
    path: mark < 0 ? target : target.slice(0, mark),
    query: mark < 0 ? '' : target.slice(mark + 1),
    protocol: `HTTP/${request.httpVersion}`,
    headers: joinHeaders(request),
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
  };
}

/** A server also accepts the absolute form of a request target (RFC 9112 section 3.2.2). */
function pathAndQuery(target: string): string {
  return target.replace(/^https?:\/\/[^/?]*\/?/i, '/');
}

function headBytes(request: IncomingMessage): number {
  const line = `${request.method} ${request.url} HTTP/1.1\r\n`.length;
  // A colon and a space follow each name, and a line break follows each value.
  return request.rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part, 'latin1') + 2, line);
}

function describe(
  { requestId }: Exchange,
  head: RequestHead,
  { response, routeKey, integrationLatency, integrationError }: GatewayOutcome,
  startedAt: number,
  options: GatewayOptions,
): AccessLogEntry {
  const byGateway = integrationLatency === undefined || integrationError !== undefined;
  return {
    requestId,
    time: new Date(startedAt),
    sourceIp: head.sourceIp,
    routeKey,
    status: response.status,
    responseLength: response.body.length,
    responseLatency: Math.round(options.now() - startedAt),
    integrationLatency,
    integrationError,
    errorMessage: byGateway
      ? (JSON.parse(response.body.toString()) as { message: string }).message
      : undefined,
    apiId: options.api.apiId,
    domainName: loopbackName,
  };
}
