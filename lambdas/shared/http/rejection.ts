import type { SyncRejection, TokenRejection } from '../log/metrics.ts';
import type { Headers } from './messages.ts';

/** The client of a request: one that the table has, or one that a token of ours names. */
export interface KnownClient {
  readonly clientId: string;
  readonly organisationId: string;
}

export interface RejectionParts<Code extends TokenRejection | SyncRejection> {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers?: Headers;
  /** For the log and the metrics. */
  readonly rejection: Code;
  /** For the log only, never for the client. */
  readonly reason: string;
  /** For the log only, as far as it is known. */
  readonly client?: Partial<KnownClient> | undefined;
  /** For the log only: the id of a file that exists. */
  readonly fileId?: string | undefined;
}

/** A request that is rejected: the status, the body and the headers of the response, and what only the log is told. */
export class Rejection<
  Code extends TokenRejection | SyncRejection = TokenRejection | SyncRejection,
> extends Error {
  override readonly name: string = 'Rejection';
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly rejection: Code;
  readonly reason: string;
  readonly client: Partial<KnownClient> | undefined;
  readonly fileId: string | undefined;

  protected constructor({
    status,
    body,
    headers = {},
    rejection,
    reason,
    client,
    fileId,
  }: RejectionParts<Code>) {
    super(rejection);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.rejection = rejection;
    this.reason = reason;
    this.client = client;
    this.fileId = fileId;
  }
}
