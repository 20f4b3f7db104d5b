/** Reason of a failure, for programs. */
export type FileSyncErrorCode =
  /** A setting or an argument is invalid. Nothing was sent. */
  | 'invalid_argument'
  | 'source_unreadable'
  /** The path is a folder, a pipe or a device. */
  | 'not_a_file'
  /** The source was changed, or has another number of bytes than its size. */
  | 'source_changed'
  /** The source exceeds 5 GiB. */
  | 'source_too_large'
  | 'invalid_client'
  | 'insufficient_scope'
  | 'not_found'
  | 'sync_not_enabled'
  /** The upload URL was already used, or an operator has cancelled it. */
  | 'upload_url_used'
  /** The stored bytes are not the bytes of the source. */
  | 'damaged'
  /** A server rejected the request, or is not a file-sync service. */
  | 'rejected'
  /** The last of the attempts failed as well. Try again later. */
  | 'unavailable'
  | 'aborted';

/** Failure of an upload. It never contains a secret, a token or a signature. */
export class FileSyncError extends Error {
  override readonly name = 'FileSyncError';
  readonly code: FileSyncErrorCode;
  /** Seconds to wait before another upload, as the server requires. */
  readonly retryAfterSeconds: number;
  /** Request id of the service's last response, to quote to the operator. */
  readonly requestId?: string | undefined;
  /** Request id of the storage's last response. */
  readonly storageRequestId?: string | undefined;
  /** Ids of uploads that were sent completely, but without a response: they may be stored. */
  readonly maybeStored: readonly string[] = [];

  constructor(code: FileSyncErrorCode, message: string, options?: ErrorOptions, retryAfterSeconds = 0) {
    super(message, options);
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

const descriptions: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no response came in time',
  ENOTFOUND: 'the host name does not exist',
};

/** Returns the `code` of a system or network error, such as `ECONNRESET`. */
export function systemCode(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : undefined;
}

/** Returns the cause of an error, without a full stop. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  const message = error instanceof Error ? error.message : String(error);
  return code === undefined ? message : `${descriptions[code] ?? message} (${code})`;
}
