import type { JWTPayload } from 'jose';
import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWSSignatureVerificationFailed, JWTClaimValidationFailed, JWTExpired } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import * as v from 'valibot';
import { accessTokenType, forbiddenMember, isTokenSpelling } from '../../../contract/access-token.ts';
import { ApiError } from '../http/api-error.ts';
import type { KnownClient } from '../http/rejection.ts';
import type { FindKey, VerificationKey } from '../keys/verification-keys.ts';
import { createVerifiedTokens, type VerifiedTokens } from './verified-tokens.ts';

/** RFC 6750 section 2.1: the scheme in upper or lower case (RFC 9110 section 11.1), then spaces. */
const bearerScheme = /^bearer(?: +|$)/i;

/**
 * RFC 6750 section 2.1: `b64token`. The case-insensitive flag is left out: it would slow down the match of a
 * long token.
 */
const b64token = /^[A-Za-z0-9._~+/-]+=*$/;

/**
 * Reads the access token from the Authorization header. A token anywhere else in the request is ignored.
 *
 * @throws {ApiError} 401; without an error code if the request contains no bearer credentials
 */
export function readBearerToken(authorization = ''): string {
  const scheme = bearerScheme.exec(authorization)?.[0];
  if (scheme === undefined) {
    throw ApiError.noToken();
  }
  const token = authorization.slice(scheme.length);
  if (!b64token.test(token)) {
    throw ApiError.invalidToken('malformed', 'The Authorization header is malformed');
  }
  return token;
}

/** Claims that jose does not check (RFC 9068 section 2.2). */
const claimsSchema = v.object({
  sub: v.string(),
  client_id: v.string(),
  organisation_id: v.string(),
  scope: v.string(),
  jti: v.string(),
  allow_from: v.exactOptional(v.array(v.string())),
});

/** Caller of the request, as named in the access token. */
export interface Caller extends KnownClient {
  readonly scopes: ReadonlySet<string>;
  /** Ranges of IP addresses from which the token may be used. Absent: every address. */
  readonly allowFrom?: readonly string[] | undefined;
}

interface VerifyOptions {
  readonly findKey: FindKey;
  /** Issuer and audience: the base URL of this deployment. */
  readonly baseUrl: string;
  readonly now: () => Date;
  readonly verified?: VerifiedTokens<Caller>;
}

export type VerifyAccessToken = (token: string) => Promise<Caller>;

/**
 * Creates a verifier of access tokens that uses only the published keys. It reads no database, so a token
 * stays valid after its client is revoked (docs/api.md 2.3).
 *
 * The key that `kid` names sets the algorithm; the token does not choose it (RFC 8725 section 3.1). Keys in
 * the token's header (`jwk`, `jku`, `x5c`, `x5u`) are ignored. `exp` gets no leeway: issuer and verifier both
 * run on AWS's clocks.
 *
 * A verified token is cached until it expires, while its key is published. A key of the same `kid` is the
 * same key, because a `kid` is the thumbprint of its key (RFC 7638).
 *
 * A token is accepted only in the exact encoding of its issue (docs/api.md 6.12). jose also accepts padding
 * and unused bits.
 *
 * @throws {ApiError} 401 for an invalid token
 * @throws {Error} if the key set could not be read
 */
export function createVerifyAccessToken({
  findKey,
  baseUrl,
  now,
  verified = createVerifiedTokens(),
}: VerifyOptions): VerifyAccessToken {
  return async (token) => {
    const known = verified.find(token, now().getTime());
    if (known !== undefined) {
      const isPublished = (await findKey(known.kid)) !== undefined;
      // The token may have expired while the key set was loaded, so it is checked again.
      if (isPublished && verified.find(token, now().getTime()) !== undefined) {
        return known.caller;
      }
      verified.forget(token);
    }
    const kid = readKeyId(token);
    const verificationKey = await findKey(kid);
    if (verificationKey === undefined) {
      throw ApiError.invalidToken('unpublished_key', 'The token names no published key');
    }
    const payload = await verify(token, verificationKey, baseUrl, now());
    const caller = readCaller(payload);
    // jose checked that `exp` is a number.
    verified.add(token, { kid, expiresAt: Number(payload.exp), caller });
    return caller;
  };
}

/**
 * Reads the `kid` of a token, after it checks the encoding and the header. A missing `kid` becomes empty,
 * which matches no key.
 */
function readKeyId(token: string): string {
  if (!isTokenSpelling(token)) {
    throw ApiError.invalidToken(
      'malformed',
      'The token is not three parts in base64url, each in its one spelling',
    );
  }
  const header = decodeHeader(token);
  const forbidden = forbiddenMember(header);
  if (forbidden !== undefined) {
    throw ApiError.invalidToken('forbidden_header', `The header of the token has ${forbidden}`);
  }
  // jose does not check the type: the header of a forged token may contain any JSON value here.
  return typeof header.kid === 'string' ? header.kid : '';
}

function decodeHeader(token: string): { readonly kid?: unknown } {
  try {
    return decodeProtectedHeader(token);
  } catch {
    throw ApiError.invalidToken('malformed', 'The token is not a JWT');
  }
}

/** @throws {ApiError} if the token is not valid for this base URL */
async function verify(
  token: string,
  { key, alg }: VerificationKey,
  baseUrl: string,
  currentDate: Date,
): Promise<JWTPayload> {
  try {
    const { payload } = await jwtVerify(token, key, {
      algorithms: [alg],
      typ: accessTokenType,
      issuer: baseUrl,
      audience: baseUrl,
      requiredClaims: ['iat', 'exp'],
      currentDate,
    });
    return payload;
  } catch (error) {
    throw rejectionOf(error);
  }
}

/**
 * Returns the rejection of a token. jose checks the claims only after the signature, and `exp` after issuer
 * and audience. So the claims of an expired token are ours, and may be logged.
 */
function rejectionOf(error: unknown): ApiError {
  if (error instanceof JWTExpired) {
    return ApiError.expiredToken(reasonOf(error), clientOf(error.payload));
  }
  if (error instanceof JWTClaimValidationFailed) {
    return ApiError.invalidToken('wrong_claim', reasonOf(error), error.claim);
  }
  const isForged = error instanceof JWSSignatureVerificationFailed;
  return ApiError.invalidToken(isForged ? 'wrong_signature' : 'unverifiable', reasonOf(error));
}

function clientOf(payload: unknown): KnownClient | undefined {
  const claims = v.safeParse(claimsSchema, payload);
  return claims.success
    ? { clientId: claims.output.client_id, organisationId: claims.output.organisation_id }
    : undefined;
}

/**
 * Returns jose's error code, and the wrong claim or header. jose's message is left out: it may quote the
 * token.
 */
function reasonOf(error: unknown): string {
  if (!(error instanceof JOSEError)) {
    return 'The token cannot be verified';
  }
  return error instanceof JWTClaimValidationFailed ? `${error.code}: ${error.claim}` : error.code;
}

function readCaller(payload: unknown): Caller {
  const claims = v.safeParse(claimsSchema, payload);
  if (!claims.success) {
    throw ApiError.invalidToken('missing_claim', 'The token lacks a claim');
  }
  const { client_id, organisation_id, scope, allow_from } = claims.output;
  return {
    clientId: client_id,
    organisationId: organisation_id,
    scopes: new Set(scope.split(' ')),
    allowFrom: allow_from,
  };
}
