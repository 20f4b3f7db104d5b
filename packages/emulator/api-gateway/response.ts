import { misdirectedText } from '../server/host.ts';
import { isJsonObject } from '../shared/json.ts';

/** An answer, ready to be written. */
export interface GatewayResponse {
  readonly status: number;
  readonly headers: Readonly<Record<string, string>>;
  readonly cookies: readonly string[];
  readonly body: Buffer;
}

/** An answer of the gateway itself, such as `{"message":"Not Found"}`. */
function gatewayAnswer(status: number, message: string): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    cookies: [],
    body: Buffer.from(JSON.stringify({ message })),
  };
}

export const gatewayAnswers = {
  badRequest: gatewayAnswer(400, 'Bad Request'),
  notFound: gatewayAnswer(404, 'Not Found'),
  timeout: gatewayAnswer(408, 'Request Timeout'),
  entityTooLarge: gatewayAnswer(413, 'Request Entity Too Large'),
  // API Gateway has no such answer: it is never reached under a name that is not its own.
  misdirected: gatewayAnswer(421, `Misdirected Request. ${misdirectedText}`),
  tooManyRequests: gatewayAnswer(429, 'Too Many Requests'),
  headersTooLarge: gatewayAnswer(431, 'Request Header Fields Too Large'),
  internalError: gatewayAnswer(500, 'Internal Server Error'),
  unavailable: gatewayAnswer(503, 'Service Unavailable'),
} as const;

/** Headers that the server sets itself. Those of a function are ignored. */
const connectionHeaders = new Set([
  'connection',
  'content-length',
  'keep-alive',
  'transfer-encoding',
  'upgrade',
]);

/**
 * Translates what a function returned (API Gateway, "Lambda function response for format 2.0"): a structured
 * response has a statusCode, and anything else is the body of a 200.
 *
 * @returns undefined when the response is malformed
 */
export function toResponse(payload: unknown): GatewayResponse | undefined {
  if (!isJsonObject(payload) || !Object.hasOwn(payload, 'statusCode')) {
    return inferredResponse(payload);
  }
  const { statusCode, body = '', isBase64Encoded = false, headers = {}, cookies = [] } = payload;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return undefined;
  }
  if (typeof body !== 'string' || typeof isBase64Encoded !== 'boolean') {
    return undefined;
  }
  const checkedHeaders = checkHeaders(headers);
  const checkedCookies = checkCookies(cookies);
  if (!checkedHeaders || !checkedCookies) {
    return undefined;
  }
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...checkedHeaders },
    cookies: checkedCookies,
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
}

function inferredResponse(payload: unknown): GatewayResponse {
  const body = typeof payload === 'string' ? payload : JSON.stringify(payload);
  const headers = { 'content-type': 'application/json' };
  return { status: 200, headers, cookies: [], body: Buffer.from(body) };
}

function checkHeaders(headers: unknown): Record<string, string> | undefined {
  if (!isJsonObject(headers)) {
    return undefined;
  }
  const checked: [string, string][] = [];
  for (const [name, value] of Object.entries(headers)) {
    const isScalar = typeof value === 'string' || typeof value === 'number' || typeof value === 'boolean';
    if (!isScalar || !isHeader(name, String(value))) {
      return undefined;
    }
    if (!connectionHeaders.has(name.toLowerCase())) {
      checked.push([name.toLowerCase(), String(value)]);
    }
  }
  return Object.fromEntries(checked);
}

/** RFC 9110 section 5: a token, and a value without control characters. */
function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

function checkCookies(cookies: unknown): string[] | undefined {
  if (!Array.isArray(cookies)) {
    return undefined;
  }
  const texts = cookies.filter((cookie) => typeof cookie === 'string' && isHeader('set-cookie', cookie));
  return texts.length === cookies.length ? texts : undefined;
}
