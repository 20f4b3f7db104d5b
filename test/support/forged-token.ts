import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import type { SigningKey } from './deployment.ts';

/** What to change in the header and claims of a token that would be valid; `undefined` takes a member away. */
export interface Changes {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Claims of a token that the deployment would take. Times in seconds. */
export function validClaims(baseUrl: string, now = Math.floor(Date.now() / 1000)): JWTPayload {
  return {
    iss: baseUrl,
    aud: baseUrl,
    sub: 'client-of-the-suite',
    client_id: 'client-of-the-suite',
    organisation_id: 'organisation-of-the-suite',
    scope: 'volume:read sync:create',
    iat: now,
    exp: now + 300,
    jti: `suite-${now}`,
  };
}

/** A token with a valid signature of `key`. Everything else is valid too, except for the changes. */
export async function signToken(key: SigningKey, baseUrl: string, changes: Changes = {}): Promise<string> {
  const header = { typ: 'at+jwt', alg: key.alg, kid: key.kid, ...changes.header } as JWTHeaderParameters;
  const claims = { ...validClaims(baseUrl), ...changes.claims };
  return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key.jwk, key.alg));
}

/** A token without a signature (RFC 7518 section 3.6). */
export function unsignedToken(baseUrl: string, alg = 'none'): string {
  const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
  return `${part({ typ: 'at+jwt', alg })}.${part(validClaims(baseUrl))}.`;
}
