/** One rule of the contract, or of the RFCs where the contract is silent. */
export interface Clause {
  /** How test titles name it: `[token.basic] ...`. */
  readonly id: string;
  readonly rule: string;
}

/** Every rule that a client may rely on, under the contract's headings. */
export const clauses: Readonly<Record<string, readonly Clause[]>> = {
  'What the service does': [
    {
      id: 'service.machine-to-machine',
      rule: 'Only the client credentials grant: no login, redirect or consent',
    },
    { id: 'service.no-self-service', rule: 'Nothing but the listed endpoints is served' },
    { id: 'service.no-cors', rule: 'No CORS support' },
    { id: 'service.json', rule: 'Bodies of answers are JSON' },
    { id: 'service.main-job', rule: 'Token, upload URL and one PUT bring a file in' },
  ],
  'Resources and their fields': [
    { id: 'resource.volume', rule: 'Volume: `id` and `name`, required strings, nothing else' },
    { id: 'resource.volume-list', rule: 'VolumeList: `data`, an array of Volume, nothing else' },
    {
      id: 'resource.upload-url',
      rule: 'FileSyncUploadUrl: `data.upload_url`, a URI, nothing else at either level',
    },
    {
      id: 'resource.token-response',
      rule: '`access_token`, `token_type` Bearer, `expires_in` seconds, `scope`',
    },
  ],
  'States and transitions': [
    { id: 'state.token-expires', rule: 'An expired access token is rejected with 401' },
    {
      id: 'state.token-outlives-revocation',
      rule: 'A token issued before the revocation stays usable until it expires',
    },
    { id: 'state.revoked-client', rule: 'A revoked client gets no new token' },
    { id: 'state.file', rule: '409 for a file with syncing not enabled, 200 with a URL where it is enabled' },
    { id: 'state.upload-url-expires', rule: 'An expired upload URL cannot be used' },
  ],
  'POST /oauth/token': [
    {
      id: 'token.content-type',
      rule: 'The request is application/x-www-form-urlencoded; another type is `invalid_request`',
    },
    { id: 'token.basic', rule: 'Basic credentials, both parts form-urlencoded (RFC 6749 2.3.1, RFC 7617)' },
    { id: 'token.post', rule: 'Form credentials `client_id` and `client_secret`' },
    {
      id: 'token.one-method',
      rule: 'Both methods in one request are `invalid_request`; an equal `client_id` beside Basic is allowed (RFC 6749 2.3)',
    },
    {
      id: 'token.grant-type',
      rule: 'A grant type other than `client_credentials` is 400 `unsupported_grant_type`',
    },
    {
      id: 'token.grant-type-missing',
      rule: 'A missing `grant_type` is 400 `invalid_request` (RFC 6749 5.2)',
    },
    {
      id: 'token.invalid-client',
      rule: 'A wrong client ID or secret is 401 `invalid_client`, and the body does not tell which',
    },
    { id: 'token.no-credentials', rule: 'No credentials are 401 `invalid_client` (RFC 6749 5.2)' },
    { id: 'token.malformed-basic', rule: 'Malformed Basic credentials are 401 `invalid_client`' },
    { id: 'token.challenge', rule: 'A 401 carries a `WWW-Authenticate: Basic` challenge (RFC 6749 5.2)' },
    { id: 'token.scope-default', rule: 'Without `scope`: every scope that the client may request' },
    { id: 'token.scope-subset', rule: 'With `scope`: only the listed scopes' },
    { id: 'token.scope-repeated', rule: 'Repeated scopes collapse' },
    {
      id: 'token.scope-not-held',
      rule: 'A scope that the client does not hold is 400 `invalid_scope`, never dropped',
    },
    { id: 'token.scope-malformed', rule: 'A malformed scope is 400 `invalid_scope` (RFC 6749 3.3)' },
    { id: 'token.repeated-parameter', rule: 'A repeated parameter is `invalid_request` (RFC 6749 3.2)' },
    { id: 'token.empty-parameter', rule: 'A parameter without a value counts as omitted (RFC 6749 3.2)' },
    { id: 'token.unknown-parameter', rule: 'Unknown parameters are ignored (RFC 6749 3.2)' },
    { id: 'token.utf-8', rule: 'Bytes that are not UTF-8 are `invalid_request`' },
    { id: 'token.body-size', rule: 'A body over 16 KiB is `invalid_request`' },
    { id: 'token.no-store', rule: 'Answers carry `Cache-Control: no-store` (RFC 6749 5.1)' },
    { id: 'token.post-only', rule: 'Only POST is served (RFC 6749 3.2)' },
    { id: 'token.query', rule: 'Credentials in the query are not read (RFC 6749 2.3.1)' },
  ],
  'Access token (RFC 9068)': [
    { id: 'access-token.header', rule: '`typ` at+jwt, `alg`, `kid` of a published key' },
    {
      id: 'access-token.claims',
      rule: '`iss`, `aud`, `sub`, `client_id`, `organisation_id`, `scope`, `iat`, `exp`, `jti`',
    },
    { id: 'access-token.lifetime', rule: '`exp` is `expires_in` seconds after `iat`' },
    { id: 'access-token.unique', rule: 'Every token has a `jti` of its own' },
  ],
  'GET /v0/volumes': [
    { id: 'volumes.empty', rule: '200 with `{"data":[]}`' },
    { id: 'volumes.scope', rule: 'Requires `volume:read`' },
  ],
  'POST /v0/files/{fileId}/sync': [
    { id: 'sync.issues', rule: '200 with an upload URL for a file of the organisation with syncing enabled' },
    { id: 'sync.fresh', rule: 'Every call issues another URL, for an object of its own' },
    { id: 'sync.body', rule: 'A body, if sent, is ignored' },
    { id: 'sync.scope', rule: 'Requires `sync:create`' },
    { id: 'sync.not-found', rule: '404 `not_found` for a file that does not exist' },
    { id: 'sync.other-organisation', rule: "Another organisation's file answers as one that does not exist" },
    { id: 'sync.file-id', rule: 'Any `fileId` that names no file is 404, whatever its characters' },
    { id: 'sync.not-enabled', rule: '409 `sync_not_enabled` for a file with syncing not enabled' },
    { id: 'sync.order', rule: 'Checks in the order 401, 403, 404, 409' },
  ],
  'PUT {upload_url}': [
    { id: 'upload.put', rule: 'One PUT of the raw bytes: 2xx, empty body, ETag' },
    { id: 'upload.bytes', rule: 'What is stored is what was sent, byte for byte' },
    { id: 'upload.empty', rule: 'A file of 0 bytes is a file' },
    { id: 'upload.one-use', rule: 'A second PUT gets 412' },
    { id: 'upload.race', rule: 'Of PUTs at the same time exactly one succeeds' },
    { id: 'upload.put-only', rule: 'POST and every other method is refused' },
    { id: 'upload.signature', rule: 'The signature is in the URL; one that does not fit is 403' },
    { id: 'upload.one-object', rule: 'The URL is for one object: another path is 403' },
    { id: 'upload.parameters', rule: 'A missing signature parameter is 400' },
    { id: 'upload.headers', rule: 'No header is needed; an `x-amz-*` header that was not signed is 403' },
    { id: 'upload.content-type', rule: 'A Content-Type that a client adds does no harm' },
    { id: 'upload.no-authorization', rule: 'An Authorization header is not accepted' },
    { id: 'upload.length', rule: 'A PUT without Content-Length is 411' },
    { id: 'upload.cut-short', rule: 'A PUT that is cut short stores nothing, and the URL still works' },
    {
      id: 'upload.url',
      rule: 'The URL is signed for `host` alone, with If-None-Match and without a checksum',
    },
  ],
  'GET /.well-known/openid-configuration': [
    {
      id: 'discovery.metadata',
      rule: 'Issuer metadata with token endpoint and scopes (Discovery 1.0 section 3, RFC 8414)',
    },
    { id: 'discovery.cache', rule: 'Cacheable, with an ETag that answers 304' },
  ],
  'GET /.well-known/jwks.json': [
    { id: 'key-set.public', rule: 'Public keys only, each with `kid`, `alg`, `use`' },
    { id: 'key-set.verifies', rule: 'A published key verifies the tokens' },
    { id: 'key-set.cache', rule: 'Cacheable, with an ETag that answers 304' },
  ],
  'GET /v0/openapi.json': [
    { id: 'openapi.version', rule: 'OpenAPI 3.1.0, info version 0.0.0' },
    { id: 'openapi.this-deployment', rule: "`servers` and `tokenUrl` are this deployment's" },
    { id: 'openapi.operations', rule: 'It describes every endpoint, its scope and its errors' },
    { id: 'openapi.lint', rule: "No error in Redocly's recommended rules" },
    {
      id: 'openapi.types',
      rule: 'openapi-typescript makes a client of it that type-checks and calls every operation',
    },
    { id: 'openapi.cache', rule: 'Cacheable, with an ETag that answers 304' },
  ],
  Authentication: [
    {
      id: 'bearer.header',
      rule: '`Authorization: Bearer` on every request to `/v0/...`, the scheme in any case (RFC 9110 11.1)',
    },
    {
      id: 'bearer.missing',
      rule: 'No token: 401 `{"message":"Unauthorized"}` with a Bearer challenge (RFC 6750 3)',
    },
    { id: 'bearer.malformed', rule: 'A malformed header or token: 401' },
    { id: 'bearer.elsewhere', rule: 'A token outside the Authorization header is not read: 401' },
    { id: 'bearer.repeated', rule: 'Two Authorization headers: 401' },
    { id: 'bearer.foreign', rule: 'A token of another issuer or for another audience: 401' },
    { id: 'bearer.type', rule: 'A token with another `typ`: 401 (RFC 9068 4)' },
    { id: 'bearer.algorithm', rule: '`alg` none, or HS256 with the public key: 401 (RFC 8725 3.1)' },
    {
      id: 'bearer.key',
      rule: 'A key that the token names or brings itself is not trusted: 401 (RFC 8725 3.10)',
    },
    { id: 'bearer.signature', rule: 'A changed token: 401' },
    { id: 'bearer.scope', rule: 'A token without the required scope: 403, whatever else it holds' },
    { id: 'auth.refresh', rule: 'A new token is requested the same way; there are no refresh tokens' },
    { id: 'auth.clients', rule: 'openid-client, jose and curl work as they are' },
  ],
  Errors: [
    {
      id: 'errors.token',
      rule: 'Token endpoint: `error` of the table, and a helpful `error_description` (RFC 6749 5.2)',
    },
    { id: 'errors.401', rule: '401: `message` Unauthorized' },
    {
      id: 'errors.403',
      rule: '403: `insufficient_scope`; description and challenge name the scope (RFC 6750 3.1)',
    },
    { id: 'errors.404', rule: '404: `not_found` and `error_description`, no other properties' },
    { id: 'errors.409', rule: '409: `sync_not_enabled` and `error_description`, no other properties' },
    { id: 'errors.500', rule: '500: `internal_error` and `error_description`, with no detail' },
    { id: 'errors.unknown-route', rule: 'An unknown route or method is 404 `{"message":"Not Found"}`' },
  ],
  Limits: [
    { id: 'limits.file-size', rule: 'A body above 5 GiB is refused' },
    { id: 'limits.url-validity', rule: 'The URL is valid for one hour from issue' },
    { id: 'limits.header-size', rule: 'Request line and headers above 10,240 bytes are refused' },
  ],
  Versioning: [{ id: 'version.prefix', rule: 'The version is in the path: `/v0`' }],
};
