import type { APIGatewayProxyEventV2 } from 'aws-lambda';
import type { RouteMatch } from './routes.ts';

/** A complete HTTP request, with its body. */
export interface GatewayRequest {
  readonly method: string;
  /** Path as sent, without the query. */
  readonly path: string;
  /** Query as sent, without the question mark. */
  readonly query: string;
  /** `HTTP/1.1` */
  readonly protocol: string;
  /** Headers by lower-case name. Values of a repeated header are joined by commas, in order. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
  readonly sourceIp: string;
}

export interface EventSettings {
  readonly accountId: string;
  readonly apiId: string;
  /** Host and port of the base URL. */
  readonly host: string;
  readonly requestId: string;
  readonly now: Date;
}

/** Domain name of every API in the emulator, used in events and in the access log. */
export const loopbackName = '127.0.0.1';

/** Headers for the gateway only, which the function does not receive (RFC 9110 section 7.6.1). */
const hopByHopHeaders = new Set([
  'connection',
  'expect',
  'keep-alive',
  'proxy-authenticate',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Translates a request to payload format 2.0 (API Gateway, "Create AWS Lambda proxy integrations for HTTP APIs").
 *
 * @throws {URIError} when the percent-encoding of the path is malformed; no route matches such a path
 */
export function toEvent(
  request: GatewayRequest,
  match: RouteMatch,
  settings: EventSettings,
): APIGatewayProxyEventV2 {
  const { cookie = '', ...received } = request.headers;
  // Payload format 2.0 lists cookies separately, not as a header.
  const cookies = cookie.match(/[^;,\s][^;,]*/g);
  const headers = Object.fromEntries(Object.entries(received).filter(([name]) => !hopByHopHeaders.has(name)));
  const rawPath = decodeURIComponent(request.path);
  const query = parseQuery(request.query);
  return {
    version: '2.0',
    routeKey: match.route.routeKey,
    rawPath,
    rawQueryString: request.query,
    ...(cookies && { cookies }),
    headers: withGatewayHeaders(headers, request, settings),
    ...(Object.keys(query).length > 0 ? { queryStringParameters: query } : {}),
    requestContext: requestContext(request, match, headers, rawPath, settings),
    ...(Object.keys(match.pathParameters).length > 0 ? { pathParameters: { ...match.pathParameters } } : {}),
    ...encodeBody(request.body, headers['content-type']),
  };
}

function withGatewayHeaders(
  headers: Record<string, string>,
  request: GatewayRequest,
  settings: EventSettings,
): Record<string, string> {
  const forwarded = headers['x-forwarded-for'];
  return {
    ...headers,
    ...(request.body.length > 0 ? { 'content-length': String(request.body.length) } : {}),
    'x-forwarded-for': forwarded === undefined ? request.sourceIp : `${forwarded}, ${request.sourceIp}`,
    'x-forwarded-port': settings.host.split(':')[1] ?? '80',
    'x-forwarded-proto': 'http',
  };
}

/** Repeated parameters are joined by commas. */
function parseQuery(query: string): Record<string, string> {
  const parameters = new URLSearchParams(query);
  return Object.fromEntries([...parameters.keys()].map((name) => [name, parameters.getAll(name).join(',')]));
}

function requestContext(
  request: GatewayRequest,
  match: RouteMatch,
  headers: Readonly<Record<string, string>>,
  rawPath: string,
  settings: EventSettings,
): APIGatewayProxyEventV2['requestContext'] {
  return {
    accountId: settings.accountId,
    apiId: settings.apiId,
    domainName: loopbackName,
    domainPrefix: '127',
    http: {
      method: request.method,
      path: rawPath,
      protocol: request.protocol,
      sourceIp: request.sourceIp,
      userAgent: headers['user-agent'] ?? '',
    },
    requestId: settings.requestId,
    routeKey: match.route.routeKey,
    stage: '$default',
    time: commonLogTime(settings.now),
    timeEpoch: settings.now.getTime(),
  };
}

/** Time in the Common Log Format, e.g. `12/Mar/2020:19:03:58 +0000`. */
export function commonLogTime(time: Date): string {
  const [, day, month, year, clock] = /^\w+, (\d+) (\w+) (\d+) ([\d:]+) GMT$/.exec(time.toUTCString()) ?? [];
  return `${day}/${month}/${year}:${clock} +0000`;
}

/**
 * Largest body, in bytes (API Gateway, "Quotas for HTTP APIs": payload size 10 MB). HTTP APIs respond with 413
 * "Request Entity Too Large" to a larger body, and also to a payload that Lambda rejects.
 */
export const maxBodyBytes = 10 * 1024 * 1024;

const textTypes = /^(text\/|application\/(json|xml|javascript)\s*(;|$))/i;

/** API Gateway encodes a body in base64 unless its content type is text. A form does not count as text. */
function encodeBody(
  body: Buffer,
  contentType: string | undefined,
): { body?: string; isBase64Encoded: boolean } {
  if (body.length === 0) {
    return { isBase64Encoded: false };
  }
  if (contentType !== undefined && textTypes.test(contentType)) {
    return { body: body.toString('utf8'), isBase64Encoded: false };
  }
  return { body: body.toString('base64'), isBase64Encoded: true };
}
