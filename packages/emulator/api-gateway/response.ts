import { misdirectedText } from '../server/host.ts';
import type { Refusal } from '../server/http-server.ts';
import type { Answer } from '../server/write-answer.ts';
import { isJsonObject } from '../shared/json.ts';

/** An answer, ready to be written. */
export interface GatewayResponse extends Answer {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** An answer of the gateway itself, such as `{"message":"Not Found"}`. */
function gatewayAnswer(status: number, message: string): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

export const gatewayAnswers = {
  badRequest: gatewayAnswer(400, 'Bad Request'),
  notFound: gatewayAnswer(404, 'Not Found'),
  timeout: gatewayAnswer(408, 'Request Timeout'),
  entityTooLarge: gatewayAnswer(413, 'Request Entity Too Large'),
  // API Gateway has no such answer: no client reaches API Gateway under a foreign name.
  misdirected: gatewayAnswer(421, `Misdirected Request. ${misdirectedText}`),
  tooManyRequests: gatewayAnswer(429, 'Too Many Requests'),
  headersTooLarge: gatewayAnswer(431, 'Request Header Fields Too Large'),
  internalError: gatewayAnswer(500, 'Internal Server Error'),
  unavailable: gatewayAnswer(503, 'Service Unavailable'),
} as const;

/**
 * Translates what a function returned (API Gateway, "Lambda function response for format 2.0"). Cookies, and answers
 * without a status, are not supported.
 *
 * @returns undefined when the response is malformed
 */
export function toResponse(payload: unknown): GatewayResponse | undefined {
  if (!isJsonObject(payload) || payload.cookies !== undefined) {
    return undefined;
  }
  const { statusCode, body = '', isBase64Encoded = false, headers = {} } = payload;
  const status = Number(statusCode);
  if (!Number.isInteger(status) || status < 200 || status > 599) {
    return undefined;
  }
  if (typeof body !== 'string' || typeof isBase64Encoded !== 'boolean') {
    return undefined;
  }
  const checkedHeaders = checkHeaders(headers);
  if (!checkedHeaders) {
    return undefined;
  }
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...checkedHeaders },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
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
    checked.push([name.toLowerCase(), String(value)]);
  }
  return Object.fromEntries(checked);
}

/** RFC 9110 section 5: a token, and a value without control characters. */
function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** The answer to bytes that are no request. */
export function refusal(code: string | undefined, requestId: string): Refusal {
  const { status, headers, body } = answerTo(code);
  return { status, headers: { ...headers, 'apigw-requestid': requestId }, body };
}

function answerTo(code: string | undefined): GatewayResponse {
  switch (code) {
    case 'HPE_HEADER_OVERFLOW':
      return gatewayAnswers.headersTooLarge;
    case 'ERR_HTTP_REQUEST_TIMEOUT':
      return gatewayAnswers.timeout;
    default:
      return gatewayAnswers.badRequest;
  }
}
