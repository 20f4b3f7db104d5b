import { invalidClientBody, type TokenErrorCode } from '../../contract/bodies/token.ts';
import type { TokenRejection } from '../../contract/internal/metrics.ts';
import { type Headers, realm } from '../shared/http/messages.ts';
import { type KnownClient, Rejection } from '../shared/http/rejection.ts';

/** RFC 7617 section 2.1: the charset tells clients to encode the id and the secret in UTF-8. */
const challenge: Headers = { 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` };

/** Reasons behind the response `invalid_client`: the text for the log, and the value for the metrics. */
const clientRejections = {
  'The request has no well-formed credentials': 'malformed_credentials',
  'The client id has a form that no client id has': 'malformed_credentials',
  'The client secret is mistyped: its form or checksum is wrong': 'malformed_credentials',
  'There is no such client': 'unknown_client',
  'The client is revoked': 'revoked_client',
  'The client is suspended': 'suspended_client',
  'The client secret is wrong': 'wrong_secret',
  'The client secret has ended': 'ended_secret',
  'The address may not use this client': 'address_not_allowed',
} as const satisfies Readonly<Record<string, TokenRejection>>;

/**
 * A rejection by the token endpoint (RFC 6749 section 5.2). Descriptions never quote the request, and use only the
 * characters that the section allows (no quotation mark, no backslash).
 */
export class TokenError extends Rejection<TokenRejection> {
  override readonly name = 'TokenError';

  static invalidRequest(description: string): TokenError {
    return TokenError.badRequest('invalid_request', description);
  }

  static unsupportedGrantType(): TokenError {
    return TokenError.badRequest('unsupported_grant_type', 'The only grant type is client_credentials');
  }

  /** @param client authenticated client, for the log */
  static invalidScope(description: string, { clientId, organisationId }: KnownClient): TokenError {
    return TokenError.badRequest('invalid_scope', description, { clientId, organisationId });
  }

  /**
   * Rejects a client. The response is the same for every reason, so that it does not reveal the wrong part.
   * The log contains the reason.
   *
   * @param client client for the log: one from the table, or an id in the format of our ids, never other text
   * of the request
   */
  static invalidClient(reason: keyof typeof clientRejections, client?: Partial<KnownClient>): TokenError {
    return new TokenError({
      status: 401,
      body: invalidClientBody,
      headers: challenge,
      rejection: clientRejections[reason],
      reason,
      client,
    });
  }

  private static badRequest(
    code: TokenErrorCode & TokenRejection,
    description: string,
    client?: KnownClient,
  ): TokenError {
    const body = { error: code, error_description: description };
    return new TokenError({ status: 400, body, rejection: code, reason: description, client });
  }
}
