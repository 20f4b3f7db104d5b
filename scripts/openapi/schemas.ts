import { type JsonSchema, toJsonSchema } from '@valibot/to-json-schema';
import type * as v from 'valibot';
import * as bodies from '../../contract/bodies.ts';

/** Schemas that the functions check their answers with, by the name under which they are published. */
const published = {
  Volume: bodies.volumeSchema,
  VolumeList: bodies.volumeListSchema,
  FileSyncUploadUrl: bodies.fileSyncUploadUrlSchema,
  Token: bodies.tokenSchema,
  TokenError: bodies.tokenErrorSchema,
  Unauthorized: bodies.unauthorizedSchema,
  InsufficientScope: bodies.insufficientScopeSchema,
  NotFound: bodies.notFoundSchema,
  SyncNotEnabled: bodies.syncNotEnabledSchema,
  InternalError: bodies.internalErrorSchema,
} satisfies Record<string, v.GenericSchema>;

export type SchemaName = keyof typeof published | keyof typeof documents;

const text = { type: 'string' } as const;
const uri = { type: 'string', format: 'uri' } as const;
const texts = { type: 'array', items: text } as const;

/** Documents whose form other standards define; described here, not checked. */
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
      keys: {
        type: 'array',
        items: {
          type: 'object',
          properties: {
            kty: { enum: ['EC', 'RSA'] },
            kid: text,
            alg: { enum: ['ES256', 'RS256'] },
            use: { const: 'sig' },
          },
          required: ['kty', 'kid', 'alg', 'use'],
        },
      },
    },
    required: ['keys'],
  },
  OpenApiDocument: {
    type: 'object',
    description: 'An OpenAPI 3.1.0 document',
    properties: { openapi: { const: '3.1.0' } },
    required: ['openapi'],
  },
} as const;

/** Every schema of the document: ours as JSON Schema 2020-12, as OpenAPI 3.1 has it. */
export function componentSchemas() {
  const converted = Object.entries(published).map(([name, schema]) => [name, convert(schema)]);
  return { ...Object.fromEntries(converted), ...documents };
}

function convert(schema: v.GenericSchema): JsonSchema {
  const { Volume } = published;
  const {
    $schema: _dialect,
    $defs: _definitions,
    ...converted
  } = toJsonSchema(schema, {
    target: 'draft-2020-12',
    // A volume stands by its name in the list, but not in its own definition.
    definitions: schema === Volume ? {} : { Volume },
    overrideRef: ({ referenceId }) => `#/components/schemas/${referenceId}`,
  });
  return converted;
}
