import { misdirectedText } from '../server/host.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { isJsonObject } from '../shared/json.ts';

/** A response that is ready to be written. */
export interface GatewayResponse extends HttpResponse {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: Buffer;
}

/** Creates a response of the gateway itself, such as `{"message":"Not Found"}`. */
function gatewayResponse(status: number, message: string): GatewayResponse {
  return {
    status,
    headers: { 'content-type': 'application/json' },
    body: Buffer.from(JSON.stringify({ message })),
  };
}

export const gatewayResponses = {
  badRequest: gatewayResponse(400, 'Bad Request'),
  notFound: gatewayResponse(404, 'Not Found'),
  timeout: gatewayResponse(408, 'Request Timeout'),
  entityTooLarge: gatewayResponse(413, 'Request Entity Too Large'),
  // API Gateway sends no such response: clients cannot reach it under a foreign host name.
  misdirected: gatewayResponse(421, `Misdirected Request. ${misdirectedText}`),
  tooManyRequests: gatewayResponse(429, 'Too Many Requests'),
  headersTooLarge: gatewayResponse(431, 'Request Header Fields Too Large'),
  internalError: gatewayResponse(500, 'Internal Server Error'),
  unavailable: gatewayResponse(503, 'Service Unavailable'),
} as const;

/**
 * Translates the return value of a function (API Gateway, "Lambda function response for format 2.0").
 * Cookies, and responses without a status, are not supported.
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

/** RFC 9110 section 5: a header name is a token, and its value contains no control characters. */
function isHeader(name: string, value: string): boolean {
  return /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/.test(name) && /^[\t\x20-\x7e\x80-\xff]*$/.test(value);
}

/** The response to bytes that are no request. */
export function parserErrorResponse(code: string | undefined, requestId: string): HttpResponse {
  const response = responseTo(code);
  return { ...response, headers: { ...response.headers, 'apigw-requestid': requestId } };
}

function responseTo(code: string | undefined): GatewayResponse {
  if (code === 'HPE_HEADER_OVERFLOW') {
    return gatewayResponses.headersTooLarge;
  }
  return code === 'ERR_HTTP_REQUEST_TIMEOUT' ? gatewayResponses.timeout : gatewayResponses.badRequest;
}
