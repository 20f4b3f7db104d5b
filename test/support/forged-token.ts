import { createPrivateKey, sign } from 'node:crypto';
import { importJWK, type JWTHeaderParameters, type JWTPayload, SignJWT } from 'jose';
import type { SigningKey } from './deployment.ts';

/** Changes to the header and claims of a valid token; `undefined` removes a member. */
export interface Changes {
  readonly header?: Readonly<Record<string, unknown>>;
  readonly claims?: Readonly<Record<string, unknown>>;
}

/** Returns claims of a token that the deployment would accept. Times in seconds. */
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

/** Signs a token with `key`. Except for the changes, the token is valid. */
export async function signToken(key: SigningKey, baseUrl: string, changes: Changes = {}): Promise<string> {
  const header = { typ: 'at+jwt', alg: key.alg, kid: key.kid, ...changes.header } as JWTHeaderParameters;
  const claims = { ...validClaims(baseUrl), ...changes.claims };
  return new SignJWT(claims).setProtectedHeader(header).sign(await importJWK(key.jwk, key.alg));
}

/** Returns a token without a signature (RFC 7518 section 3.6). */
export function unsignedToken(baseUrl: string, alg = 'none'): string {
  return `${tokenPart({ typ: 'at+jwt', alg })}.${tokenPart(validClaims(baseUrl))}.`;
}

/** Encodes a header or claims for a token. */
export function tokenPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Signs two parts correctly with `key`, without checks. jose rejects some of them. */
export function signParts({ jwk }: SigningKey, header: string, claims: string): string {
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${header}.${claims}.${signature.toString('base64url')}`;
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Returns other encodings of a token part: padded, with each other value of the unused bits of its last
 * character (RFC 4648 section 3.5), and in the other alphabet. A part of 4n characters does not contain
 * unused bits.
 */
export function otherSpellings(part: string): readonly string[] {
  const bytes = Buffer.from(part, 'base64url');
  const lastCharacters = [...base64url].map((last) => part.slice(0, -1) + last);
  const candidates = [`${part}=`, `${part}==`, bytes.toString('base64'), ...lastCharacters];
  return [...new Set(candidates)].filter(
    (text) => text !== part && Buffer.from(text, 'base64url').equals(bytes),
  );
}
