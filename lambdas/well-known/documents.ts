import { signingAlgorithms } from '../../contract/access-token.ts';
import { routes, scopes } from '../../contract/routes.ts';
import { compareStates, type KeySet, publishedKeys } from '../../storage/signing-keys.ts';
import type { openapiDocument } from './openapi/document.ts';

/**
 * Issuer metadata, the same at both of its addresses (Discovery 1.0 section 3, RFC 8414 sections 2 and 3). This service makes no ID tokens, but Discovery
 * requires the members about them all the same. The algorithms are all those that a deployment may sign with.
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

/** The public key set (RFC 7517 section 5): the current key first, then the next one, then retired ones. */
export function keySetDocument(keySet: KeySet, now: number) {
  return {
    keys: publishedKeys(keySet, now)
      .toSorted(compareStates)
      .map(({ jwk }) => jwk),
  };
}

/** The API description with example addresses, as `openapi/` makes it. */
export type Description = ReturnType<typeof openapiDocument>;

/**
 * The API description, with the addresses of this deployment in place of the example addresses.
 *
 * @param isDeprecated marks the operations under `/v0` (OpenAPI 3.1, "Operation Object")
 */
export function deployedDescription(template: Description, baseUrl: string, isDeprecated: boolean) {
  const { components, paths } = template;
  const { clientCredentials } = components.securitySchemes;
  return {
    ...template,
    servers: [{ ...template.servers[0], url: baseUrl }],
    paths: isDeprecated ? withDeprecated(paths) : paths,
    components: {
      ...components,
      securitySchemes: {
        ...components.securitySchemes,
        clientCredentials: {
          ...clientCredentials,
          flows: {
            clientCredentials: {
              ...clientCredentials.flows.clientCredentials,
              tokenUrl: baseUrl + routes.token.path,
            },
          },
        },
      },
    },
  };
}

function withDeprecated(paths: Readonly<Record<string, Readonly<Record<string, object>>>>) {
  const marked = (item: Readonly<Record<string, object>>) =>
    Object.fromEntries(
      Object.entries(item).map(([method, operation]) => [method, { ...operation, deprecated: true }]),
    );
  return Object.fromEntries(
    Object.entries(paths).map(([path, item]) => [path, path.startsWith('/v0/') ? marked(item) : item]),
  );
}
