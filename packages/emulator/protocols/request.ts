import { randomBytes } from 'node:crypto';
import type { IncomingMessage, ServerResponse } from 'node:http';
import { expectsContinue, joinHeaders } from '../server/http-server.ts';
import { readWholeBody } from '../server/read-body.ts';
import { type HttpResponse, writeResponse } from '../server/write-response.ts';
import { AwsError } from '../shared/errors.ts';

/** An incoming request that is not authenticated yet. */
export interface ReceivedRequest {
  readonly requestId: string;
  readonly method: string;
  /** Path as on the wire: percent-encoded, without the query. */
  readonly path: string;
  /** True if the query is not percent-encoded UTF-8. Such a query counts as empty. */
  readonly malformed: boolean;
  /** Decoded parameters in the order of the query. A name may occur more than once. */
  readonly query: readonly QueryParameter[];
  /** Headers by lower-case name. Repeated headers are joined with a comma, as in signatures. */
  readonly headers: Readonly<Record<string, string>>;
  /** True if the client waits for `100 Continue` before it sends the body. */
  readonly expectsContinue: boolean;
  readonly sourceIp: string;
  readonly message: IncomingMessage;
  readonly response: ServerResponse;
}

export interface QueryParameter {
  readonly name: string;
  readonly value: string;
}

export function createRequestId(): string {
  return randomBytes(8).toString('hex').toUpperCase();
}

/** Reads the head of a request. */
export function receiveRequest(message: IncomingMessage, response: ServerResponse): ReceivedRequest {
  const target = message.url ?? '/';
  const mark = target.indexOf('?');
  const query = mark < 0 ? [] : parseQuery(target.slice(mark + 1));
  return {
    requestId: createRequestId(),
    method: message.method ?? 'GET',
    path: mark < 0 ? target : target.slice(0, mark),
    malformed: query === undefined,
    query: query ?? [],
    headers: joinHeaders(message),
    expectsContinue: expectsContinue(message),
    sourceIp: message.socket.remoteAddress ?? '127.0.0.1',
    message,
    response,
  };
}

/** Returns the value of the first query parameter with this name. */
export function queryValue(request: ReceivedRequest, name: string): string | undefined {
  return request.query.find((parameter) => parameter.name === name)?.value;
}

/**
 * Tells a client to send the body if it waits for `100 Continue`. A request that can be rejected without its
 * body is rejected before this call (RFC 9110 section 10.1.1).
 */
export function acceptBody(request: ReceivedRequest): void {
  if (request.expectsContinue) {
    request.response.writeContinue();
  }
}

/**
 * Reads a whole body into memory.
 *
 * @throws {AwsError} 413 RequestEntityTooLarge for a larger body
 */
export async function readBody(request: ReceivedRequest, max: number): Promise<Buffer> {
  acceptBody(request);
  const body = await readWholeBody(request.message, max);
  if (!body) {
    throw new AwsError(413, 'RequestEntityTooLarge', 'Request body is too large.');
  }
  return body;
}

export function sendResponse({ message, response }: ReceivedRequest, content: HttpResponse): Promise<void> {
  return writeResponse(message, response, content);
}

function parseQuery(text: string): QueryParameter[] | undefined {
  const parts = text.split('&').filter((part) => part !== '');
  try {
    return parts.map((part) => {
      const equals = part.indexOf('=');
      const [name, value] = equals < 0 ? [part, ''] : [part.slice(0, equals), part.slice(equals + 1)];
      return { name: decode(name), value: decode(value) };
    });
  } catch {
    return undefined;
  }
}

function decode(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}
