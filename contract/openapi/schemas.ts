import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import * as v from 'valibot';
import * as errors from '../bodies/errors.ts';
import * as sync from '../bodies/sync.ts';
import * as token from '../bodies/token.ts';
import * as volumes from '../bodies/volumes.ts';

/** Schemas of response bodies, by their published name. */
const published = {
  Volume: volumes.volumeSchema,
  VolumeList: volumes.volumeListSchema,
  UploadUrl: sync.uploadUrlSchema,
  FileSyncUploadUrl: sync.fileSyncUploadUrlSchema,
  Token: token.tokenSchema,
  TokenError: token.tokenErrorSchema,
  Unauthorized: errors.unauthorizedSchema,
  InsufficientScope: errors.insufficientScopeSchema,
  NotFound: sync.notFoundSchema,
  SyncNotEnabled: sync.syncNotEnabledSchema,
  /** API Gateway's own response above the limit of the stage; no function sends it. */
  TooManyRequests: v.object({ message: v.literal('Too Many Requests') }),
  InternalError: errors.internalErrorSchema,
};

export type SchemaName = keyof typeof published | keyof typeof documents;

const text = { type: 'string' } as const;
const uri = { type: 'string', format: 'uri' } as const;
const texts = { type: 'array', items: text } as const;

/** Documents that other standards define. They are described here, but not checked. */
const documents = {
  IssuerMetadata: {
    type: 'object',
    description: 'OpenID Connect Discovery 1.0 section 3, RFC 8414 section 2',
    properties: {
      issuer: uri,
      token_endpoint: uri,
      jwks_uri: uri,
      scopes_supported: texts,
      grant_types_supported: texts,
      token_endpoint_auth_methods_supported: texts,
      response_types_supported: texts,
      subject_types_supported: texts,
      id_token_signing_alg_values_supported: texts,
      claims_supported: texts,
      service_documentation: uri,
      request_uri_parameter_supported: { type: 'boolean' },
    },
    required: [
      'issuer',
      'token_endpoint',
      'jwks_uri',
      'scopes_supported',
      'grant_types_supported',
      'token_endpoint_auth_methods_supported',
      'response_types_supported',
      'subject_types_supported',
      'id_token_signing_alg_values_supported',
    ],
  },
  KeySet: {
    type: 'object',
    description: 'JSON Web Key Set (RFC 7517 section 5), public keys only',
    properties: {
      keys: { type: 'array', items: { $ref: '#/components/schemas/PublicKey' } },
    },
    required: ['keys'],
  },
  PublicKey: {
    type: 'object',
    description: 'JSON Web Key (RFC 7517 section 4); an EC key has crv, x and y, an RSA key n and e',
    properties: {
      kty: { type: 'string', enum: ['EC', 'RSA'] },
      kid: text,
      alg: { type: 'string', enum: ['ES256', 'RS256'] },
      use: { type: 'string', const: 'sig' },
      crv: text,
      x: text,
      y: text,
      n: text,
      e: text,
    },
    required: ['kty', 'kid', 'alg', 'use'],
  },
  GatewayError: {
    type: 'object',
    description: 'Response of API Gateway itself',
    properties: { message: text },
    required: ['message'],
  },
  OpenApiDocument: {
    type: 'object',
    description: 'An OpenAPI 3.1.0 document',
    properties: { openapi: { type: 'string', const: '3.1.0' } },
    required: ['openapi'],
  },
} as const;

/** Returns all schemas of the document, as JSON Schema 2020-12, the dialect of OpenAPI 3.1. */
export function componentSchemas() {
  const converted = Object.entries(published).map(([name, schema]) => [name, convert(schema)]);
  return { ...Object.fromEntries(converted), ...documents };
}

/**
 * Schemas that others reference by name. Generators create a class for each, and some lose an object without
 * a name.
 */
const named = { Volume: published.Volume, UploadUrl: published.UploadUrl };

/** Converts a schema of the contract for the document. */
export function convert(schema: v.GenericSchema): JsonSchema {
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...converted
  } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    // A schema is referenced by its name in others, but not in its own definition.
    definitions: Object.fromEntries(Object.entries(named).filter(([, other]) => other !== schema)),
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
    // Generators treat a constant without a type as an object.
    overrideSchema: ({ valibotSchema, jsonSchema }) =>
      valibotSchema.type === 'literal' ? { type: 'string', ...jsonSchema } : undefined,
  });
  return converted;
}
