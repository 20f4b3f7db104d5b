import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';
import { internalErrorBody } from '../../../contract/bodies/internal-error.ts';
import { describeError, type Log, type LogFields } from '../log/log.ts';

/** The members of an API Gateway event (payload format 2.0) that the functions read. */
export interface HttpEvent
  extends Pick<APIGatewayProxyEventV2, 'routeKey' | 'headers' | 'isBase64Encoded' | 'body'> {
  readonly pathParameters?: { readonly fileId?: string };
  readonly requestContext: Pick<APIGatewayProxyEventV2['requestContext'], 'requestId'> & {
    /** Host name that the client used for API Gateway. */
    readonly domainName?: string;
    readonly http?: { readonly sourceIp: string };
  };
}

export type HttpResponse = APIGatewayProxyStructuredResultV2;

/** Responds to a request. Never throws. */
export type Handler = (event: HttpEvent) => Promise<HttpResponse>;

export type Headers = Readonly<Record<string, string>>;

/** Returns a response with a JSON body. */
export function jsonResponse(statusCode: number, body: unknown, headers: Headers = {}): HttpResponse {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Headers of responses that must not be cached: they contain tokens, upload URLs, or errors about either. */
export const noStore: Headers = { 'cache-control': 'no-store' };

/**
 * Logs an unexpected error, and responds with 500 without any of its detail.
 *
 * @param more fields of the log line
 */
export function respondToUnexpectedError(
  error: unknown,
  event: HttpEvent,
  log: Log,
  headers: Headers = noStore,
  more: LogFields = {},
): HttpResponse {
  log('ERROR', 'requestFailed', { ...requestFields(event), ...more, ...describeError(error) });
  return jsonResponse(500, internalErrorBody, headers);
}

/** Returns the fields of a line about a rejected or failed request. */
export function requestFields({ requestContext, routeKey }: HttpEvent): LogFields {
  const { requestId, http } = requestContext;
  return { request_id: requestId, route: routeKey, ip: http?.sourceIp };
}

/** Protection space of both challenges (RFC 9110 section 11.5). */
export const realm = 'file-sync-api';
