import { identifierPattern } from '../../../contract/identifiers.ts';
import { type RouteName, routes, scopes } from '../../../contract/routes.ts';
import { TokenError } from '../../token/token-error.ts';
import { answer, answerOrGateway, type Example, jsonContent } from './answers.ts';
import type { SchemaName } from './schemas.ts';

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

const tokenRequest = {
  type: 'object',
  properties: {
    grant_type: { type: 'string', const: 'client_credentials' },
    client_id: { type: 'string', description: 'Only if HTTP Basic is not used' },
    client_secret: { type: 'string', format: 'password', description: 'Only if HTTP Basic is not used' },
    scope: {
      type: 'string',
      description: 'Space-separated scopes; by default every scope that the client is allowed to request',
      examples: [scopes.join(' ')],
    },
  },
  required: ['grant_type'],
};

const token: Example = {
  access_token: 'eyJhbGciOiJFUzI1NiIsInR5cCI6ImF0K2p3dCJ9...',
  token_type: 'Bearer',
  expires_in: 3600,
  scope: scopes.join(' '),
};

/** The one answer to every client that is not authenticated. */
const invalidClient = TokenError.invalidClient('The client is revoked');

/** One operation. Path, method, security and common errors follow from its route. */
export interface Operation {
  readonly operationId: string;
  readonly tags: readonly string[];
  readonly summary: string;
  readonly description: string;
  readonly parameters?: readonly object[];
  readonly requestBody?: object;
  /** By status. */
  readonly responses: Readonly<Record<number, object>>;
}

const fileId = {
  name: 'fileId',
  in: 'path',
  required: true,
  description: 'Opaque identifier of the file',
  // Another id is not refused: it names no file, so it is answered 404.
  schema: { type: 'string', minLength: 1, maxLength: 128, pattern: identifierPattern.source },
  example: 'orders-2026',
};

/** Every operation of v0, by the name of its route. */
export const operations = {
  token: {
    operationId: 'createToken',
    tags: ['Authentication'],
    summary: 'Issue an access token',
    description:
      'OAuth 2.0 client credentials grant (RFC 6749 section 4.4). Authenticate by HTTP Basic or with `client_id` and `client_secret` in the form, not both.',
    requestBody: {
      required: true,
      content: { 'application/x-www-form-urlencoded': { schema: tokenRequest } },
    },
    responses: {
      200: answer('The access token', 'Token', token),
      400: answer('The request is malformed, or asks for what the client may not have', 'TokenError', {
        error: 'invalid_scope',
        error_description: `The client may request these scopes only: ${routes.volumes.scope}`,
      }),
      401: answer(
        'Client id or client secret is missing, wrong or malformed, or the client is revoked',
        'TokenError',
        invalidClient.body,
      ),
    },
  },
  volumes: {
    operationId: 'listVolumes',
    tags: ['Volumes'],
    summary: 'List volumes',
    description: 'Lists the drive volumes that the client can read. The list is currently always empty.',
    responses: { 200: answer('The volumes', 'VolumeList', { data: [] }) },
  },
  sync: {
    operationId: 'createFileSync',
    tags: ['Files'],
    summary: 'Issue an upload URL for a file',
    description:
      'Issues a presigned upload URL for a file that has syncing enabled. Send the bytes to it with one single `PUT`, without credentials, within one hour. Ask for a new URL for each upload. No request body is defined; one that is sent is ignored.',
    parameters: [fileId],
    responses: {
      200: answer('The upload URL', 'FileSyncUploadUrl', { data: { upload_url: uploadUrl } }),
      404: answerOrGateway('No file with this id, or it belongs to a different organisation', 'NotFound', {
        error: 'not_found',
        error_description: 'There is no file with this id',
      }),
      409: answer('The file does not have syncing enabled', 'SyncNotEnabled', {
        error: 'sync_not_enabled',
        error_description: 'Syncing is not enabled for this file',
      }),
    },
  },
  openidConfiguration: publicDocument({
    operationId: 'getIssuerMetadata',
    tags: ['Authentication'],
    summary: 'Issuer metadata',
    description: 'OpenID Connect discovery document, with the token endpoint and the supported scopes.',
    schema: 'IssuerMetadata',
  }),
  authorizationServer: publicDocument({
    operationId: 'getAuthorizationServerMetadata',
    tags: ['Authentication'],
    summary: 'Authorization server metadata',
    description: 'The issuer metadata, for clients that look here first (RFC 8414).',
    schema: 'IssuerMetadata',
  }),
  keySet: publicDocument({
    operationId: 'getKeySet',
    tags: ['Authentication'],
    summary: 'Public key set',
    description: 'The public keys of access tokens, for clients that verify tokens themselves.',
    schema: 'KeySet',
  }),
  openapi: publicDocument({
    operationId: 'getOpenApiDocument',
    tags: ['Description'],
    summary: 'This document',
    description: 'The machine-readable description of the v0 API.',
    schema: 'OpenApiDocument',
  }),
} satisfies Readonly<Record<RouteName, Operation>>;

interface PublicDocument extends Omit<Operation, 'responses'> {
  readonly schema: SchemaName;
}

function publicDocument({ schema, ...operation }: PublicDocument) {
  return {
    ...operation,
    parameters: [ifNoneMatch],
    responses: {
      200: { description: operation.summary, headers: etagHeaders, content: jsonContent(schema) },
      304: { description: 'The copy at hand is current', headers: etagHeaders },
    },
  };
}
