import type { SyncRefusal, TokenRefusal } from '../log/metrics.ts';
import type { Headers } from './messages.ts';

/** The client of a request: one that the table has, or one that a token of ours names. */
export interface KnownClient {
  readonly clientId: string;
  readonly organisationId: string;
}

export interface RefusalParts<Code extends TokenRefusal | SyncRefusal> {
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers?: Headers;
  /** For the log and the metrics. */
  readonly refusal: Code;
  /** For the log only, never for the client. */
  readonly reason: string;
  /** For the log only, as far as it is known. */
  readonly client?: Partial<KnownClient> | undefined;
  /** For the log only: the id of a file that exists. */
  readonly fileId?: string | undefined;
}

/** A request that is refused: the status, the body and the headers of the answer, and what only the log is told. */
export class Refusal<Code extends TokenRefusal | SyncRefusal = TokenRefusal | SyncRefusal> extends Error {
  override readonly name: string = 'Refusal';
  readonly status: number;
  readonly body: Readonly<Record<string, string>>;
  readonly headers: Headers;
  readonly refusal: Code;
  readonly reason: string;
  readonly client: Partial<KnownClient> | undefined;
  readonly fileId: string | undefined;

  protected constructor({ status, body, headers = {}, refusal, reason, client, fileId }: RefusalParts<Code>) {
    super(refusal);
    this.status = status;
    this.body = body;
    this.headers = headers;
    this.refusal = refusal;
    this.reason = reason;
    this.client = client;
    this.fileId = fileId;
  }
}
