import { signingAlgorithms } from '../../contract/access-token.ts';
import { routes } from '../../contract/routes.ts';
import { scopes } from '../../contract/scopes.ts';

/**
 * Issuer metadata (Discovery 1.0 section 3, RFC 8414 section 2). Discovery requires the members about ID tokens also
 * of an issuer that makes none; the algorithms are those that a deployment may sign with.
 */
export function discoveryDocument(baseUrl: string) {
  return {
    issuer: baseUrl,
    token_endpoint: baseUrl + routes.token.path,
    jwks_uri: baseUrl + routes.keySet.path,
    service_documentation: baseUrl + routes.openapi.path,
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
