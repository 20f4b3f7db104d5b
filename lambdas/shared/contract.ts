/** Constants of the published contract (v0): what clients see, and the limits that they rely on. */

/** The scopes that exist, with the sentence that the API description publishes for each. */
export const scopeDescriptions = {
  'volume:read': 'List and read drive volumes',
  'sync:create': 'Create a data source sync for a file',
} as const;

export type Scope = keyof typeof scopeDescriptions;

export const scopes = Object.keys(scopeDescriptions) as Scope[];

export function isScope(value: string): value is Scope {
  return Object.hasOwn(scopeDescriptions, value);
}

/** Every public route. Nothing else is served. */
export const routes = {
  token: { method: 'POST', path: '/oauth/token' },
  volumes: { method: 'GET', path: '/v0/volumes' },
  sync: { method: 'POST', path: '/v0/files/{fileId}/sync' },
  openidConfiguration: { method: 'GET', path: '/.well-known/openid-configuration' },
  keySet: { method: 'GET', path: '/.well-known/jwks.json' },
  openapi: { method: 'GET', path: '/v0/openapi.json' },
} as const;

/** Signature algorithms that a deployment may choose (RFC 7518 section 3.1). */
export const signingAlgorithms = ['ES256', 'RS256'] as const;

export type SigningAlgorithm = (typeof signingAlgorithms)[number];

/** Longest life of an upload URL, in seconds: one hour, the most that a chained role session lasts. */
export const maximumUploadUrlLifetimeSeconds = 3600;

/** Largest file that one PUT takes, in bytes: 5 GiB (S3, "Uploading objects"). */
export const maximumUploadBytes = 5_368_709_120;

/** Largest body that the token endpoint reads, in bytes. */
export const maximumTokenRequestBytes = 16 * 1024;

/**
 * A file, organisation or client identifier: 1 to 128 unreserved characters of RFC 3986 section 2.3, so that
 * it stands in a path without percent-encoding.
 */
export const identifierPattern = /^[A-Za-z0-9._~-]{1,128}$/;
