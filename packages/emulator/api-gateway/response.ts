import * as v from 'valibot';
import { misdirectedText } from '../server/host.ts';
import type { HttpResponse } from '../server/write-response.ts';

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

/** RFC 9110 section 5: a header name is a token, and its value contains no control characters. */
const headersSchema = v.record(
  v.pipe(v.string(), v.regex(/^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/), v.toLowerCase()),
  v.pipe(v.string(), v.regex(/^[\t\x20-\x7e\x80-\xff]*$/)),
);

/**
 * API Gateway, "Lambda function response for format 2.0". Cookies, responses without a status, and values that
 * API Gateway would convert to text are not supported.
 */
const responseSchema = v.object({
  statusCode: v.pipe(v.number(), v.integer(), v.minValue(200), v.maxValue(599)),
  headers: v.optional(headersSchema, {}),
  body: v.optional(v.string(), ''),
  isBase64Encoded: v.optional(v.boolean(), false),
  cookies: v.optional(v.undefined()),
});

/** Translates the return value of a function. Returns undefined when the value is malformed. */
export function toResponse(payload: unknown): GatewayResponse | undefined {
  const parsed = v.safeParse(responseSchema, payload);
  if (!parsed.success) {
    return undefined;
  }
  const { statusCode: status, headers, body, isBase64Encoded } = parsed.output;
  return {
    status,
    headers: { 'content-type': 'text/plain; charset=utf-8', ...headers },
    body: Buffer.from(body, isBase64Encoded ? 'base64' : 'utf8'),
  };
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
