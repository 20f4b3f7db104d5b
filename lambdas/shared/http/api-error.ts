import type { Scope } from '../../../contract/scopes.ts';
import type { SyncRefusal } from '../log/metrics.ts';
import { type Headers, realm } from './messages.ts';

interface Refusal {
  readonly headers: Headers;
  readonly reason: string;
  readonly client: KnownClient;
}

/** The client of a request, as a token that we signed names it. */
export interface KnownClient {
  readonly clientId: string;
  readonly organisationId: string;
}

/** For every token that is refused, whatever is wrong with it (RFC 6750 section 3.1). */
const invalidTokenChallenge = 'Bearer error="invalid_token"';

/**
 * A refusal of the two API endpoints (docs/api.md section 11). It holds the status, the body and the headers of the
 * answer. What is private goes to the log: `reason`, `refusal` and `client`.
 */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: 401 | 403 | 404 | 409;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  /** For the log only, never for the client. */
  readonly reason: string;
  /** For the log and the metrics. */
  readonly refusal: SyncRefusal;
  /** For the log only: the client of a token that was refused although we signed it. */
  readonly client: KnownClient | undefined;

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
    this.client = more.client;
    // Stryker disable next-line StringLiteral: a body without a reason has a description, so nothing gets this text
    this.reason = more.reason ?? body.error_description ?? '';
  }

  /** No credentials in the request: a challenge without an error code (RFC 6750 section 3.1). */
  static noToken(): ApiError {
    return ApiError.unauthorized('no_token', `Bearer realm="${realm}"`, 'The request has no bearer token');
  }

  /** A token that is malformed or not ours. The log says which; the client is not told. */
  static invalidToken(reason: string): ApiError {
    return ApiError.unauthorized('invalid_token', invalidTokenChallenge, reason);
  }

  /**
   * A token of ours that has expired. The answer is that for any invalid token (RFC 6750 section 3.1).
   *
   * @param client as the token names it, whose signature was verified; undefined if it names none
   */
  static expiredToken(reason: string, client: KnownClient | undefined): ApiError {
    return ApiError.unauthorized('expired_token', invalidTokenChallenge, reason, client);
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

  private static unauthorized(
    refusal: SyncRefusal,
    challenge: string,
    reason: string,
    client?: KnownClient,
  ): ApiError {
    return new ApiError(
      401,
      refusal,
      { message: 'Unauthorized' },
      { headers: { 'www-authenticate': challenge }, reason, ...(client && { client }) },
    );
  }
}
