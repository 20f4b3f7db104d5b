import type { SyncRejection, TokenProblem } from '../../../contract/internal/metrics.ts';
import type { Scope } from '../../../contract/routes.ts';
import { realm } from './messages.ts';
import { type KnownClient, Rejection, type RejectionParts } from './rejection.ts';

/** Description for every rejected token, whatever the reason (RFC 6750 section 3.1). */
const invalidTokenChallenge = 'Bearer error="invalid_token"';

/** A rejection of a request that requires an access token (docs/api.md section 11). */
export class ApiError extends Rejection<SyncRejection> {
  override readonly name = 'ApiError';

  /** Rejects a request without credentials: a challenge without an error code (RFC 6750 section 3.1). */
  static noToken(): ApiError {
    return ApiError.unauthorized(`Bearer realm="${realm}"`, {
      rejection: 'no_token',
      reason: 'The request has no bearer token',
    });
  }

  /**
   * Rejects a malformed token, or a token from another issuer. Only the log states which.
   *
   * @param claim name of the wrong claim or header
   */
  static invalidToken(tokenProblem: TokenProblem, reason: string, claim?: string): ApiError {
    return ApiError.unauthorized(invalidTokenChallenge, {
      rejection: 'invalid_token',
      reason,
      tokenProblem,
      claim,
    });
  }

  /**
   * Rejects an expired token of ours. The response is the same as for any invalid token (RFC 6750 section
   * 3.1).
   *
   * @param client client named in the token, whose signature was verified; undefined if it names none
   */
  static expiredToken(reason: string, client: KnownClient | undefined): ApiError {
    return ApiError.unauthorized(invalidTokenChallenge, { rejection: 'expired_token', reason, client });
  }

  /** Rejects the address of the request. The response is the same as for any invalid token. */
  static addressNotAllowed(): ApiError {
    return ApiError.unauthorized(invalidTokenChallenge, {
      rejection: 'address_not_allowed',
      reason: 'The address may not use this token',
    });
  }

  static insufficientScope(required: Scope): ApiError {
    return ApiError.described(403, 'insufficient_scope', `This endpoint requires the scope ${required}`, {
      'www-authenticate': `Bearer error="insufficient_scope", scope="${required}"`,
    });
  }

  /**
   * Rejects a file id, with the same response for a missing file and for a file of another organisation.
   *
   * @param fileId id of a file that exists, for the log; never another text of the request
   */
  static fileNotFound(fileId: string | undefined): ApiError {
    return ApiError.described(404, 'not_found', 'There is no file with this id', {}, fileId);
  }

  /**
   * Rejects a file without syncing, with the same response if its organisation is suspended.
   *
   * @param rejection reason, for the log
   */
  static syncNotEnabled(fileId: string, rejection: SyncRejection = 'sync_not_enabled'): ApiError {
    const description = 'Syncing is not enabled for this file';
    return ApiError.described(409, 'sync_not_enabled', description, {}, fileId, rejection);
  }

  private static described(
    status: 403 | 404 | 409,
    error: SyncRejection,
    description: string,
    headers: Readonly<Record<string, string>> = {},
    fileId?: string,
    rejection = error,
  ): ApiError {
    const body = { error, error_description: description };
    return new ApiError({ status, body, headers, rejection, reason: description, fileId });
  }

  private static unauthorized(
    challenge: string,
    details: Omit<RejectionParts<SyncRejection>, 'status' | 'body' | 'headers'>,
  ): ApiError {
    const headers = { 'www-authenticate': challenge };
    return new ApiError({ status: 401, body: { message: 'Unauthorized' }, headers, ...details });
  }
}
