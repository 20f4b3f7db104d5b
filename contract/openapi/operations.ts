import { internalErrorBody } from '../bodies/internal-error.ts';
import { invalidClientBody } from '../bodies/token.ts';
import { identifierPattern } from '../identifiers.ts';
import { routes, type Scope, scopes } from '../routes.ts';
import type { SchemaName } from './schemas.ts';

function jsonContent(schema: SchemaName, example?: object) {
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
function responseOrGateway(description: string, schema: SchemaName, example: object) {
  const oneOf = [schema, 'GatewayError'].map((name) => ({ $ref: `#/components/schemas/${name}` }));
  return { description, content: { 'application/json': { schema: { oneOf }, example } } };
}

/** Errors of all operations: docs/api.md section 11. */
const errorResponses = {
  429: response('More requests than the deployment takes; send the request again later', 'TooManyRequests', {
    message: 'Too Many Requests',
  }),
  500: responseOrGateway('Unexpected server error', 'InternalError', internalErrorBody),
};

/**
 * Returns the description of a route with a scope: the security of its operation, its responses, and the
 * errors.
 */
function requiring(scope: Scope, responses: object) {
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

const uploadUrl =
  'https://uploads.s3.eu-central-1.amazonaws.com/uploads/019c1b2e-7d3a-7cc1-8f43-5e0d1c2b3a49?If-None-Match=%2A&X-Amz-Expires=3600&X-Amz-Signature=...';

const etagHeaders = {
  ETag: { description: 'Strong entity tag', schema: { type: 'string' } },
  'Cache-Control': { description: 'How long the document may be kept', schema: { type: 'string' } },
};

const ifNoneMatch = {
  name: 'If-None-Match',
  in: 'header',
  description: 'Entity tags of the copies at hand',
  schema: { type: 'string' },
};

/**
 * With these defaults, a request that Postman imports works with HTTP Basic. Postman reads neither examples
 * nor a constant, and fills in the rest. An empty parameter counts as omitted (docs/api.md 3.14).
 */
const tokenRequest = {
  type: 'object',
  properties: {
    grant_type: { type: 'string', const: 'client_credentials', default: 'client_credentials' },
    client_id: { type: 'string', default: '', description: 'Only if HTTP Basic is not used' },
    client_secret: {
      type: 'string',
      format: 'password',
      default: '',
      description: 'Only if HTTP Basic is not used',
    },
    scope: {
      type: 'string',
      default: '',
      description: 'Space-separated scopes; by default every scope that the client is allowed to request',
      examples: [scopes.join(' ')],
    },
  },
  required: ['grant_type'],
};

const token = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9...',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: scopes.join(' '),
};

/** Every operation of v0, by path and method. */
export const operations = {
  [routes.token.path]: {
    post: {
      operationId: 'createToken',
      tags: ['Authentication'],
      summary: 'Issue an access token',
      description:
        'OAuth 2.0 client credentials grant (RFC 6749 section 4.4). Authenticate by HTTP Basic or with `client_id` and `client_secret` in the form, not both.',
      security: [{ clientSecretBasic: [] }, {}],
      requestBody: {
        required: true,
        content: { 'application/x-www-form-urlencoded': { schema: tokenRequest } },
      },
      responses: {
        200: response('The access token', 'Token', token),
        400: response('The request is malformed, or asks for what the client may not have', 'TokenError', {
          error: 'invalid_scope',
          error_description: `The client may request these scopes only: ${scopes[0]}`,
        }),
        401: response(
          'Client id or client secret is missing, wrong or malformed, or the client is revoked',
          'TokenError',
          invalidClientBody,
        ),
        ...errorResponses,
      },
    },
  },
  [routes.volumes.path]: {
    get: {
      operationId: 'listVolumes',
      tags: ['Volumes'],
      summary: 'List volumes',
      description: 'Lists the drive volumes that the client can read. The list is currently always empty.',
      ...requiring(routes.volumes.scope, { 200: response('The volumes', 'VolumeList', { data: [] }) }),
    },
  },
  [routes.sync.path]: {
    post: {
      operationId: 'createFileSync',
      tags: ['Files'],
      summary: 'Issue an upload URL for a file',
      description:
        'Issues a presigned upload URL for a file that has syncing enabled. Send the bytes to it with one single `PUT`, without credentials: begin within one hour. Ask for a new URL for each upload. No request body is defined; one that is sent is ignored.',
      parameters: [
        {
          name: 'fileId',
          in: 'path',
          required: true,
          description: 'Opaque identifier of the file',
          // Another id is not rejected: it names no file, so it gets 404.
          schema: { type: 'string', minLength: 1, maxLength: 128, pattern: identifierPattern.source },
          example: 'orders-2026',
        },
      ],
      ...requiring(routes.sync.scope, {
        200: response('The upload URL', 'FileSyncUploadUrl', { data: { upload_url: uploadUrl } }),
        404: responseOrGateway(
          'No file with this id, or it belongs to a different organisation',
          'NotFound',
          {
            error: 'not_found',
            error_description: 'There is no file with this id',
          },
        ),
        409: response('The file does not have syncing enabled', 'SyncNotEnabled', {
          error: 'sync_not_enabled',
          error_description: 'Syncing is not enabled for this file',
        }),
      }),
    },
  },
  [routes.openidConfiguration.path]: publicDocument('Authentication', 'IssuerMetadata', {
    operationId: 'getIssuerMetadata',
    summary: 'Issuer metadata',
    description: 'OpenID Connect discovery document, with the token endpoint and the supported scopes.',
  }),
  [routes.authorizationServer.path]: publicDocument('Authentication', 'IssuerMetadata', {
    operationId: 'getAuthorizationServerMetadata',
    summary: 'Authorization server metadata',
    description: 'The issuer metadata, for clients that look here first (RFC 8414).',
  }),
  [routes.keySet.path]: publicDocument('Authentication', 'KeySet', {
    operationId: 'getKeySet',
    summary: 'Public key set',
    description: 'The public keys of access tokens, for clients that verify tokens themselves.',
  }),
  [routes.openapi.path]: publicDocument('Description', 'OpenApiDocument', {
    operationId: 'getOpenApiDocument',
    summary: 'This document',
    description: 'The machine-readable description of the v0 API.',
  }),
};

type Texts = Readonly<Record<'operationId' | 'summary' | 'description', string>>;

function publicDocument(tag: string, schema: SchemaName, texts: Texts) {
  return {
    get: {
      ...texts,
      tags: [tag],
      security: [],
      parameters: [ifNoneMatch],
      responses: {
        200: { description: texts.summary, headers: etagHeaders, content: jsonContent(schema) },
        304: { description: 'The copy at hand is current', headers: etagHeaders },
        ...errorResponses,
      },
    },
  };
}
