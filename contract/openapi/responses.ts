import { internalErrorBody } from '../bodies/internal-error.ts';
import type { Scope } from '../routes.ts';
import type { SchemaName } from './schemas.ts';

export function jsonContent(schema: SchemaName, example?: object) {
  const reference = { schema: { $ref: `#/components/schemas/${schema}` } };
  return { 'application/json': { ...reference, ...(example === undefined ? {} : { example }) } };
}

export function response(description: string, schema: SchemaName, example: object) {
  return { description, content: jsonContent(schema, example) };
}

/**
 * Describes an error that API Gateway may send in place of the service, with a body of its own: 404 for a
 * wrong address, 500 for a function that did not respond. A generated client that knows only our body would
 * fail at the body of API Gateway.
 */
export function responseOrGateway(description: string, schema: SchemaName, example: object) {
  const oneOf = [schema, 'GatewayError'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { description, content: { 'application/json': { schema: { oneOf }, example } } };
}

/** Errors of all operations: docs/api.md section 11. */
export const errorResponses = {
  429: response('More requests than the deployment takes; send the request again later', 'TooManyRequests', {
    message: 'Too Many Requests',
  }),
  500: responseOrGateway('Unexpected server error', 'InternalError', internalErrorBody),
};

/**
 * Returns the description of a route with a scope: the security of its operation, its responses, and the
 * errors.
 */
export function requiring(scope: Scope, responses: object) {
  return {
    security: [{ clientCredentials: [scope] }],
    responses: {
      ...responses,
      401: response('The access token is missing, malformed or expired', 'Unauthorized', {
        message: 'Unauthorized',
      }),
      403: response('The token lacks the required scope', 'InsufficientScope', {
        error: 'insufficient_scope',
        error_description: `This endpoint requires the scope ${scope}`,
      }),
      ...errorResponses,
    },
  };
}
