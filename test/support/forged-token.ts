import { createPrivateKey, sign } from 'node:crypto';
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
  return `${tokenPart({ typ: 'at+jwt', alg })}.${tokenPart(validClaims(baseUrl))}.`;
}

/** A header or claims as they stand in a token. */
export function tokenPart(value: object): string {
  return Buffer.from(JSON.stringify(value)).toString('base64url');
}

/** Puts a true signature of `key` under two parts, whatever they are. jose refuses to sign some of them. */
export function signParts({ jwk }: SigningKey, header: string, claims: string): string {
  const key = createPrivateKey({ key: { ...jwk }, format: 'jwk' });
  const signature = sign('sha256', Buffer.from(`${header}.${claims}`), { key, dsaEncoding: 'ieee-p1363' });
  return `${header}.${claims}.${signature.toString('base64url')}`;
}

const base64url = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_';

/**
 * Other texts for the bytes of a part of a token: padded, with each other value of the unused bits of its last character
 * (RFC 4648 section 3.5), and in the other alphabet. A part of 4n characters has no unused bits.
 */
export function otherSpellings(part: string): readonly string[] {
  const bytes = Buffer.from(part, 'base64url');
  const lastCharacters = [...base64url].map((last) => part.slice(0, -1) + last);
  const candidates = [`${part}=`, `${part}==`, bytes.toString('base64'), ...lastCharacters];
  return [...new Set(candidates)].filter(
    (text) => text !== part && Buffer.from(text, 'base64url').equals(bytes),
  );
}
