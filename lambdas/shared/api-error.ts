import type { Scope } from '../../contract/scopes.ts';
import type { SyncRefusal } from '../../storage/metrics.ts';
import { type Headers, realm } from './http-messages.ts';

interface Refusal {
  readonly headers: Headers;
  readonly reason: string;
}

/**
 * A refusal of the two API endpoints (docs/api.md section 11). It holds the status, the body and the headers of the
 * answer. Only `reason` is private: it goes to the log.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: 401 | 403 | 404 | 409;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** For the log only, never for the client. */
  readonly reason: string;
  /** For the metrics. */
  readonly refusal: SyncRefusal;

  private constructor(
    status: ApiError['status'],
    refusal: SyncRefusal,
    body: ApiError['body'],
    more: Partial<Refusal> = {},
  ) {
    super(`${status}`);
    this.status = status;
    this.refusal = refusal;
    this.body = body;
    this.headers = more.headers ?? {};
    // Stryker disable next-line StringLiteral: a body without a reason has a description, so nothing gets this text
    this.reason = more.reason ?? body.error_description ?? '';
  }

  /** No credentials in the request: a challenge without an error code (RFC 6750 section 3.1). */
  static noToken(): ApiError {
    return ApiError.unauthorized('no_token', `Bearer realm="${realm}"`, 'The request has no bearer token');
  }

  /** A token that is malformed, expired or not ours. The log says which; the client is not told. */
  static invalidToken(reason: string): ApiError {
    return ApiError.unauthorized('invalid_token', 'Bearer error="invalid_token"', reason);
  }

  static insufficientScope(required: Scope): ApiError {
    return new ApiError(
      403,
      'insufficient_scope',
      { error: 'insufficient_scope', error_description: `This endpoint requires the scope ${required}` },
      { headers: { 'www-authenticate': `Bearer error="insufficient_scope", scope="${required}"` } },
    );
  }

  /** The same answer for a file that does not exist and for a file of another organisation. */
  static fileNotFound(): ApiError {
    const body = { error: 'not_found', error_description: 'There is no file with this id' };
    return new ApiError(404, 'not_found', body);
  }

  static syncNotEnabled(): ApiError {
    return new ApiError(409, 'sync_not_enabled', {
      error: 'sync_not_enabled',
      error_description: 'Syncing is not enabled for this file',
    });
  }

  private static unauthorized(refusal: SyncRefusal, challenge: string, reason: string): ApiError {
    return new ApiError(
      401,
      refusal,
      { message: 'Unauthorized' },
      { headers: { 'www-authenticate': challenge }, reason },
    );
  }
}
