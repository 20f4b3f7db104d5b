import { decodeProtectedHeader } from 'jose/decode/protected_header';
import { JOSEError, JWTClaimValidationFailed } from 'jose/errors';
import { jwtVerify } from 'jose/jwt/verify';
import * as v from 'valibot';
import { accessTokenType } from '../../contract/access-token.ts';
import { ApiError } from './api-error.ts';
import type { FindKey, VerificationKey } from './verification-keys.ts';

/** Claims of an access token beside those that jose checks (RFC 9068 section 2.2). */
const claimsSchema = v.object({
  sub: v.string(),
  client_id: v.string(),
  organisation_id: v.string(),
  scope: v.string(),
  jti: v.string(),
});

/** Who calls, as the access token says. */
export interface Caller {
  readonly clientId: string;
  readonly organisationId: string;
  readonly scopes: ReadonlySet<string>;
}

export interface VerifyOptions {
  readonly findKey: FindKey;
  /** Issuer and audience: the base URL of this deployment. */
  readonly baseUrl: string;
  readonly now: () => Date;
}

export type VerifyAccessToken = (token: string) => Promise<Caller>;

/**
 * Verifies access tokens with the published keys alone: no database, so a token outlives the revocation of its
 * client (Contract, Authentication 6).
 *
 * The algorithm is that of the key which `kid` names, never the token's choice (RFC 8725 section 3.1); keys that a
 * token brings along (`jwk`, `jku`, `x5c`, `x5u`) are not looked at. There is no leeway on `exp`: the clocks of
 * issuer and verifier are both AWS's.
 *
 * @throws {ApiError} 401 for any token that is not valid here and now; other errors mean that it could not be told
 */
export function createVerifyAccessToken({ findKey, baseUrl, now }: VerifyOptions): VerifyAccessToken {
  return async (token) => {
    const kid = readKeyId(token);
    const verificationKey = kid === undefined ? undefined : await findKey(kid);
    if (verificationKey === undefined) {
      throw ApiError.invalidToken('The token names no published key');
    }
    return readCaller(await verify(token, verificationKey, baseUrl, now()));
  };
}

function readKeyId(token: string): string | undefined {
  try {
    const { kid }: { readonly kid?: unknown } = decodeProtectedHeader(token);
    // The library does not look: a stranger's header may have any JSON value here.
    return typeof kid === 'string' ? kid : undefined;
  } catch {
    throw ApiError.invalidToken('The token is no JWT');
  }
}

async function verify(token: string, { key, alg }: VerificationKey, baseUrl: string, currentDate: Date) {
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
    throw ApiError.invalidToken(reasonOf(error));
  }
}

/** jose's code, and the claim or header that is wrong; not its message, which may quote the token. */
function reasonOf(error: unknown): string {
  if (!(error instanceof JOSEError)) {
    return 'The token cannot be verified';
  }
  return error instanceof JWTClaimValidationFailed ? `${error.code}: ${error.claim}` : error.code;
}

function readCaller(payload: unknown): Caller {
  const claims = v.safeParse(claimsSchema, payload);
  if (!claims.success) {
    throw ApiError.invalidToken('The token lacks a claim');
  }
  const { client_id, organisation_id, scope } = claims.output;
  return {
    clientId: client_id,
    organisationId: organisation_id,
    scopes: new Set(scope.split(' ')),
  };
}
