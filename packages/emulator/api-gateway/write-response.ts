import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Refusal } from '../server/http-server.ts';
import { type GatewayResponse, gatewayAnswers } from './response.ts';

/** How long a client may go on sending a body that nobody reads. */
const lingerMilliseconds = 1000;

/**
 * Writes an answer. When the request's body was not read to its end, the connection closes after a short while. If it
 * closed immediately, a client that is still sending would get a reset instead of the answer (RFC 9112 section 9.6).
 */
export function writeResponse(
  request: IncomingMessage,
  response: ServerResponse,
  answer: GatewayResponse,
  requestId: string,
): void {
  const unread = hasBody(request) && !request.complete;
  response.statusCode = answer.status;
  for (const [name, value] of Object.entries(answer.headers)) {
    response.setHeader(name, value);
  }
  if (answer.cookies.length > 0) {
    response.setHeader('set-cookie', answer.cookies);
  }
  response.setHeader('apigw-requestid', requestId);
  if (mayHaveBody(answer.status)) {
    response.setHeader('content-length', answer.body.length);
  }
  if (!unread) {
    response.end(answer.body);
    return;
  }
  response.setHeader('connection', 'close');
  response.write(answer.body);
  const timer = setTimeout(() => response.end(), lingerMilliseconds);
  request.once('close', () => clearTimeout(timer));
  request.once('end', () => response.end());
  request.resume();
}

function hasBody(request: IncomingMessage): boolean {
  const { headers } = request;
  return headers['transfer-encoding'] !== undefined || Number(headers['content-length'] ?? 0) > 0;
}

/** RFC 9110 section 6.4.1. */
function mayHaveBody(status: number): boolean {
  return status !== 204 && status !== 304;
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
