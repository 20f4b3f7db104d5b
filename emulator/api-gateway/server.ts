import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import { createConnections } from '../server/connections.ts';
import { expectationOf } from '../server/expectation.ts';
import { createFramingJudge } from '../server/framing.ts';
import type { AccessLogEntry } from './access-log.ts';
import {
  admit,
  callFunction,
  type GatewayDependencies,
  type Outcome,
  type RequestHead,
} from './handle-request.ts';
import { maximumBodyBytes, readBody } from './read-body.ts';
import { type GatewayResponse, gatewayAnswers } from './response.ts';
import { answerToParseError, refusal, writeResponse } from './write-response.ts';

export interface GatewayOptions extends GatewayDependencies {
  readonly accountId: string;
  /** Host and port of the base URL. */
  readonly host: string;
  readonly logAccess: (entry: AccessLogEntry) => void;
}

/** Listens on 127.0.0.1. Answers 503 until {@link GatewayServer.serve} is called. */
export interface GatewayServer {
  readonly port: number;
  readonly serve: (options: GatewayOptions) => void;
  /** Takes no more requests, gives those under way a little time, and ends. */
  readonly close: () => Promise<void>;
}

/** Most bytes of request line and headers together (API Gateway, "Quotas for HTTP APIs"). */
const maximumHeadBytes = 10_240;

/** How long requests under way may take once the server closes, in milliseconds. */
const closeMilliseconds = 3000;

/**
 * Takes the port at once, so that it is known, and known to be free, before the stack is synthesized for it.
 *
 * @param port 0 lets the system choose
 * @param createRequestId makes the value of `apigw-requestid`
 * @throws {Error} with code EADDRINUSE when the port is taken
 */
export async function openGateway(port: number, createRequestId: () => string): Promise<GatewayServer> {
  let options: GatewayOptions | undefined;
  const { judge, isCondemned } = createFramingJudge();
  const connections = createConnections();
  const onRequest = (request: IncomingMessage, response: ServerResponse) => {
    // An aborted request is no failure of the server.
    request.on('error', () => undefined);
    response.on('error', () => undefined);
    const framing = judge(request);
    // It ends with the connection, unanswered.
    if (framing === 'behind ambiguous') return;
    connections.note(request, response);
    const requestId = createRequestId();
    if (framing === 'ambiguous') {
      response.shouldKeepAlive = false;
      writeResponse(request, response, gatewayAnswers.badRequest, requestId);
    } else if (options) void answer(request, response, requestId, options);
    else writeResponse(request, response, gatewayAnswers.unavailable, requestId);
  };
  const server = createHttpServer();
  // Whether the body is wanted is decided before the client is told to send it (RFC 9110 section 10.1.1).
  for (const event of ['request', 'checkContinue', 'checkExpectation']) server.on(event, onRequest);
  const refuse = (connection: Duplex, answer: GatewayResponse) => {
    if (isCondemned(connection)) connections.end(connection);
    else connections.end(connection, () => refusal(answer, createRequestId()));
  };
  server.on('clientError', (error: NodeJS.ErrnoException, connection) =>
    refuse(connection, answerToParseError(error.code)),
  );
  // Nobody can be reached through an API: it has no route of this method.
  server.on('connect', (_, connection) => refuse(connection, gatewayAnswers.notFound));
  await listen(server, port);
  return {
    port: (server.address() as AddressInfo).port,
    serve: (given) => {
      options = given;
    },
    close: () => close(server),
  };
}

function createHttpServer(): Server {
  const server = createServer({
    // Node refuses malformed requests, and those with both Content-Length and Transfer-Encoding, unless told otherwise.
    insecureHTTPParser: false,
    requireHostHeader: true,
    maxHeaderSize: 16_384,
    headersTimeout: 10_000,
    requestTimeout: 60_000,
    keepAliveTimeout: 75_000,
    connectionsCheckingInterval: 2000,
  });
  server.maxHeadersCount = 0;
  return server;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  requestId: string,
  options: GatewayOptions,
): Promise<void> {
  const startedAt = options.now();
  const head = readHead(request);
  try {
    const outcome = await decide(request, response, head, requestId, options);
    writeResponse(request, response, outcome.response, requestId);
    options.logAccess(describe(head, outcome, requestId, startedAt, options));
  } catch {
    // The client is gone, or the answer cannot be written: there is nobody to tell.
    response.destroy();
  }
}

async function decide(
  request: IncomingMessage,
  response: ServerResponse,
  head: RequestHead,
  requestId: string,
  options: GatewayOptions,
): Promise<Outcome> {
  if (headBytes(request) > maximumHeadBytes) return { response: gatewayAnswers.headersTooLarge };
  const expectation = expectationOf(request);
  if (expectation === 'unknown') return { response: gatewayAnswers.expectationFailed };
  const match = admit(head, options);
  if ('response' in match) return match;
  const { routeKey } = match.route;
  const tooLarge = { response: gatewayAnswers.entityTooLarge, routeKey };
  if (Number(request.headers['content-length'] ?? 0) > maximumBodyBytes) return tooLarge;
  if (expectation === 'continue') response.writeContinue();
  const body = await readBody(request);
  if (!body) return tooLarge;
  const { accountId, api, host } = options;
  const settings = { accountId, apiId: api.apiId, host, requestId, now: new Date(options.now()) };
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
    rawHeaders: request.rawHeaders,
    sourceIp: request.socket.remoteAddress ?? '127.0.0.1',
  };
}

/** A server takes the absolute form too (RFC 9112 section 3.2.2). */
function pathAndQuery(target: string): string {
  const absolute = /^https?:\/\/[^/?]*(.*)$/i.exec(target);
  const rest = absolute ? (absolute[1] ?? '') : target;
  return rest.startsWith('/') || !absolute ? rest : `/${rest}`;
}

function headBytes(request: IncomingMessage): number {
  const line = `${request.method} ${request.url} HTTP/1.1\r\n`.length;
  // Each name is followed by a colon and a space, each value by a line break.
  return request.rawHeaders.reduce((sum, part) => sum + Buffer.byteLength(part, 'latin1') + 2, line);
}

function describe(
  head: RequestHead,
  outcome: Outcome,
  requestId: string,
  startedAt: number,
  options: GatewayOptions,
): AccessLogEntry {
  const { response, routeKey, integrationLatency, integrationError } = outcome;
  const byGateway = integrationLatency === undefined || integrationError !== undefined;
  return {
    requestId,
    time: new Date(startedAt),
    method: head.method,
    path: head.path,
    protocol: head.protocol,
    sourceIp: head.sourceIp,
    userAgent: findHeader(head.rawHeaders, 'user-agent'),
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
    accountId: options.accountId,
    domainName: options.host.split(':')[0] ?? options.host,
  };
}

function findHeader(rawHeaders: readonly string[], name: string): string | undefined {
  const index = rawHeaders.findIndex((part, at) => at % 2 === 0 && part.toLowerCase() === name);
  return index < 0 ? undefined : rawHeaders[index + 1];
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

async function close(server: Server): Promise<void> {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()));
  server.closeIdleConnections();
  const timer = setTimeout(() => server.closeAllConnections(), closeMilliseconds);
  await closed;
  clearTimeout(timer);
}
