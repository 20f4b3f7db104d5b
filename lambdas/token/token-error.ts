import type { TokenErrorCode } from '../../contract/bodies.ts';
import { type Headers, realm } from '../shared/http-messages.ts';

/** RFC 7617 section 2.1: the charset tells clients to encode the id and the secret in UTF-8. */
const challenge: Headers = { 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` };

/** The part of a refusal that goes to the log only. */
export interface RefusalDetail {
  readonly reason: string;
  readonly client_id?: string | undefined;
}

interface Refusal {
  readonly headers: Headers;
  readonly detail: RefusalDetail;
}

/**
 * A refusal by the token endpoint (RFC 6749 section 5.2). Descriptions never quote the request, and use only the
 * characters that the section allows (no quotation mark, no backslash).
 */
export class TokenError extends Error {
  override readonly name = 'TokenError';
  readonly status: 400 | 401;
  readonly code: TokenErrorCode;
  readonly description: string;
  readonly headers: Headers;
  /** For the log only: the reason, and the client if it is known. */
  readonly detail: RefusalDetail;

  private constructor(
    status: 400 | 401,
    code: TokenErrorCode,
    description: string,
    more: Partial<Refusal> = {},
  ) {
    super(code);
    this.status = status;
    this.code = code;
    this.description = description;
    this.headers = more.headers ?? {};
    this.detail = more.detail ?? { reason: description };
  }

  static invalidRequest(description: string): TokenError {
    return new TokenError(400, 'invalid_request', description);
  }

  static unsupportedGrantType(): TokenError {
    return new TokenError(400, 'unsupported_grant_type', 'The only grant type is client_credentials');
  }

  static invalidScope(description: string): TokenError {
    return new TokenError(400, 'invalid_scope', description);
  }

  /**
   * The answer is the same for every reason, so that it does not tell which part was wrong. The log tells the operator.
   *
   * @param clientId for the log: only the id of a client, or an id in the form of ours, never any other text of the request
   */
  static invalidClient(reason: string, clientId?: string): TokenError {
    return new TokenError(
      401,
      'invalid_client',
      'The client id or client secret is missing or wrong, or the client is revoked',
      { headers: challenge, detail: { reason, client_id: clientId } },
    );
  }
}
