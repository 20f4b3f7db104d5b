import { signingAlgorithms } from '../../contract/access-token.ts';
import { routes } from '../../contract/routes.ts';
import { scopes } from '../../contract/scopes.ts';
import { type Version, versionNames, versions } from '../../contract/versions.ts';
import { compareStates, type KeySet, publishedKeys } from '../../storage/signing-keys.ts';
import { type Description, descriptions } from './descriptions.ts';

/** The version that new clients should use. */
const newest = versions[versionNames.at(-1) ?? 'v0'];

/**
 * Issuer metadata (Discovery 1.0 section 3, RFC 8414 section 2). This service makes no ID tokens, but Discovery
 * requires the members about them all the same. The algorithms are all those that a deployment may sign with.
 */
export function discoveryDocument(baseUrl: string) {
  return {
    issuer: baseUrl,
    token_endpoint: baseUrl + routes.token.path,
    jwks_uri: baseUrl + routes.keySet.path,
    service_documentation: baseUrl + newest.description.path,
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

/** The description of a version, with the addresses of this deployment in place of the example addresses. */
export function openapiDocument(version: Version, baseUrl: string): Description {
  const template = descriptions[version];
  const { components } = template;
  const { clientCredentials } = components.securitySchemes;
  return {
    ...template,
    servers: [{ ...template.servers[0], url: baseUrl }],
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
