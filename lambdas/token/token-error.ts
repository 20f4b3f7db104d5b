import type { TokenErrorCode } from '../../contract/bodies.ts';
import { type Headers, realm } from '../shared/http/messages.ts';
import type { TokenRefusal } from '../shared/log/metrics.ts';

/** RFC 7617 section 2.1: the charset tells clients to encode the id and the secret in UTF-8. */
const challenge: Headers = { 'www-authenticate': `Basic realm="${realm}", charset="UTF-8"` };

/** A client that the table has. */
interface StoredClient {
  readonly clientId: string;
  readonly organisationId: string;
}

/** The part of a refusal that goes to the log only. */
export interface RefusalDetail {
  readonly reason: string;
  readonly client_id?: string | undefined;
  readonly organisation_id?: string | undefined;
}

/** What the answer `invalid_client` hides: the reason as the log has it, and as the metrics have it. */
const clientRefusals = {
  'The request has no well-formed credentials': 'malformed_credentials',
  'The client id has a form that no client id has': 'malformed_credentials',
  'The client secret is mistyped: its form or checksum is wrong': 'malformed_credentials',
  'There is no such client': 'unknown_client',
  'The client is revoked': 'revoked_client',
  'The client secret is wrong or has ended': 'wrong_secret',
} as const satisfies Readonly<Record<string, TokenRefusal>>;

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
  /** For the metrics. */
  readonly refusal: TokenRefusal;

  private constructor(
    status: 400 | 401,
    code: TokenErrorCode,
    refusal: TokenRefusal,
    description: string,
    more: Partial<Refusal> = {},
  ) {
    super(code);
    this.status = status;
    this.code = code;
    this.refusal = refusal;
    this.description = description;
    this.headers = more.headers ?? {};
    this.detail = more.detail ?? { reason: description };
  }

  static invalidRequest(description: string): TokenError {
    return new TokenError(400, 'invalid_request', 'invalid_request', description);
  }

  static unsupportedGrantType(): TokenError {
    const code = 'unsupported_grant_type';
    return new TokenError(400, code, code, 'The only grant type is client_credentials');
  }

  /** @param client for the log: the client that was authenticated */
  static invalidScope(description: string, client: StoredClient): TokenError {
    const detail = { reason: description, ...loggedClient(client) };
    return new TokenError(400, 'invalid_scope', 'invalid_scope', description, { detail });
  }

  /**
   * The answer is the same for every reason, so that it does not tell which part was wrong. The log tells the operator.
   *
   * @param client for the log: a client that the table has, or an id in the form of ours, never any other text of the
   *   request
   */
  static invalidClient(reason: keyof typeof clientRefusals, client?: string | StoredClient): TokenError {
    return new TokenError(
      401,
      'invalid_client',
      clientRefusals[reason],
      'The client id or client secret is missing or wrong, or the client is revoked',
      {
        headers: challenge,
        detail: { reason, ...(typeof client === 'object' ? loggedClient(client) : { client_id: client }) },
      },
    );
  }
}

function loggedClient({ clientId, organisationId }: StoredClient) {
  return { client_id: clientId, organisation_id: organisationId };
}
