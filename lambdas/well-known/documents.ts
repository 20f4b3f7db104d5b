import { createHash } from 'node:crypto';
import { signingAlgorithms } from '../../contract/access-token.ts';
import { documentMaxAgeSeconds } from '../../contract/limits.ts';
import { exampleBaseUrl } from '../../contract/openapi/example-base-url.ts';
import { routes, scopes } from '../../contract/routes.ts';
import { compareStates, type KeySet, publishedKeys } from '../../storage/signing-keys.ts';
import type { Headers, HttpResponse } from '../shared/http/messages.ts';

/**
 * Returns the issuer metadata, the same at both of its addresses (Discovery 1.0 section 3, RFC 8414 sections
 * 2 and 3). This service issues no ID tokens, but Discovery requires the members about them. The algorithms
 * are all those that a deployment may use for signing.
 *
 * `response_types_supported` is required (RFC 8414 section 2), but section 3.2 omits empty members. It stays:
 * more clients reject metadata without it (AppAuth, MCP's SDK) than with an empty list. Any value would name
 * a missing endpoint.
 */
export function issuerMetadata(baseUrl: string, documentationUrl: string | undefined) {
  return {
    issuer: baseUrl,
    token_endpoint: baseUrl + routes.token.path,
    jwks_uri: baseUrl + routes.keySet.path,
    ...(documentationUrl && { service_documentation: documentationUrl }),
    scopes_supported: scopes,
    grant_types_supported: ['client_credentials'],
    token_endpoint_auth_methods_supported: ['client_secret_basic', 'client_secret_post'],
    response_types_supported: [],
    subject_types_supported: ['public'],
    id_token_signing_alg_values_supported: signingAlgorithms,
    claims_supported: ['iss', 'aud', 'sub', 'client_id', 'organisation_id', 'scope', 'iat', 'exp', 'jti'],
    request_uri_parameter_supported: false,
  };
}

/**
 * Returns the public key set (RFC 7517 section 5): the current key first, then the next key, then retired
 * keys.
 */
export function keySetDocument(keySet: KeySet, now: number) {
  return {
    keys: publishedKeys(keySet, now)
      .toSorted(compareStates)
      .map(({ jwk }) => jwk),
  };
}

/**
 * Returns the API description, with the base URL of this deployment in place of the example.
 *
 * @param isDeprecated true to mark the operations under `/v0` as deprecated (OpenAPI 3.1, "Operation Object")
 */
export function deployedDescription(description: object, baseUrl: string, isDeprecated: boolean): unknown {
  const text = JSON.stringify(description).replaceAll(exampleBaseUrl, baseUrl);
  return JSON.parse(text, isDeprecated ? withDeprecated : undefined);
}

function withDeprecated(key: string, value: object): object {
  return key.startsWith('/v0/')
    ? Object.fromEntries(
        Object.entries(value).map(([method, operation]) => [method, { ...operation, deprecated: true }]),
      )
    : value;
}

/** A public document, ready to send. */
export interface Document {
  readonly body: string;
  /** Strong entity tag, with its quotes. */
  readonly etag: string;
}

export function createDocument(content: unknown): Document {
  const body = JSON.stringify(content);
  const digest = createHash('sha256').update(body).digest('base64url');
  return { body, etag: `"${digest.slice(0, 22)}"` };
}

/**
 * Responds with the document and these headers, or with 304 if the client already has it (RFC 9110 section
 * 15.4.5).
 */
export function respondWith(
  { body, etag }: Document,
  ifNoneMatch: string | undefined,
  more: Headers = {},
): HttpResponse {
  // The 304 needs its content type too: API Gateway would add text/plain, and caches would store that
  // (RFC 9111 section 3.2).
  const headers = {
    'content-type': 'application/json',
    etag,
    'cache-control': `public, max-age=${documentMaxAgeSeconds}`,
    ...more,
  };
  return matches(ifNoneMatch, etag) ? { statusCode: 304, headers } : { statusCode: 200, headers, body };
}

/**
 * True if If-None-Match matches the tag: `*` or a list, compared weakly (RFC 9110 sections 13.1.2 and
 * 8.8.3.2).
 */
function matches(ifNoneMatch: string | undefined, etag: string): boolean {
  if (ifNoneMatch === undefined) {
    return false;
  }
  // Splitting at commas is safe: our tag contains no comma, and a piece of a longer tag lacks a quotation
  // mark.
  const tags = ifNoneMatch.split(',').map((tag) => tag.trim());
  return tags.includes('*') ? tags.length === 1 : tags.some((tag) => tag.replace(/^W\//, '') === etag);
}
