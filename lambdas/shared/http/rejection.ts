import type { SyncRejection, TokenProblem, TokenRejection } from '../../../contract/internal/metrics.ts';
import type { Headers } from './messages.ts';

/** Client of a request: from the table, or from a token of this service. */
export interface KnownClient {
  readonly clientId: string;
  readonly organisationId: string;
}

/** The status, the body and the headers of the response, and details for the log only. */
export interface RejectionParts<Code extends TokenRejection | SyncRejection> {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers?: Headers;
  /** Reason, for the log and the metrics. */
  readonly rejection: Code;
  /** Detail for the log only, never for the client. */
  readonly reason: string;
  /** Problem of an invalid token. For the log only. */
  readonly tokenProblem?: TokenProblem | undefined;
  /** Claim or header of a token with the problem `wrong_claim`. For the log only. */
  readonly claim?: string | undefined;
  /** Client, as far as it is known. For the log only. */
  readonly client?: Partial<KnownClient> | undefined;
  /** Id of a file that exists. For the log only. */
  readonly fileId?: string | undefined;
}

/** A rejected request. */
export class Rejection<
  Code extends TokenRejection | SyncRejection = TokenRejection | SyncRejection,
> extends Error {
  override readonly name: string = 'Rejection';
  readonly parts: RejectionParts<Code>;

  protected constructor(parts: RejectionParts<Code>) {
    super(parts.rejection);
    this.parts = parts;
  }
}
