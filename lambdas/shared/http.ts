import type { APIGatewayProxyEventV2, APIGatewayProxyStructuredResultV2 } from 'aws-lambda';

/** What the functions read of an API Gateway event of payload format 2.0. */
export interface HttpEvent
  extends Pick<
    APIGatewayProxyEventV2,
    'routeKey' | 'headers' | 'isBase64Encoded' | 'pathParameters' | 'body'
  > {
  readonly requestContext: Pick<APIGatewayProxyEventV2['requestContext'], 'requestId'>;
}

export type HttpAnswer = APIGatewayProxyStructuredResultV2;

export type Headers = Readonly<Record<string, string>>;

/** An answer with a JSON body. */
export function jsonAnswer(statusCode: number, body: unknown, headers: Headers = {}): HttpAnswer {
  return {
    statusCode,
    headers: { 'content-type': 'application/json', ...headers },
    body: JSON.stringify(body),
  };
}

/** Answers that hold a token, a URL that gives access, or an account of either, stay out of every cache. */
export const noStore: Headers = { 'cache-control': 'no-store' };

/**
 * The contract's body for an unexpected failure: no detail, and the request id is in the headers that API Gateway
 * adds (`apigw-requestid`), so that an operator can find the log line.
 */
export const internalErrorBody = {
  error: 'internal_error',
  error_description: 'The request failed for a reason on our side; try again later',
} as const;

/** Protection space of both challenges (RFC 9110 section 11.5). */
export const realm = 'file-sync-api';
