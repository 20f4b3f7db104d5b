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
  /** The stored bytes are not the sent bytes. */
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
  /** Request id of the service's last response, to quote to the operator. */
  readonly requestId?: string | undefined;
  /** Request id of the storage's last response. */
  readonly storageRequestId?: string | undefined;
  /** Ids of uploads that were sent completely, but without a response: they may be stored. */
  readonly maybeStored: readonly string[];

  constructor(code: FileSyncErrorCode, message: string, { cause, ...facts }: ErrorFacts = {}) {
    super(message, cause === undefined ? {} : { cause });
    this.code = code;
    this.requestId = facts.requestId;
    this.storageRequestId = facts.storageRequestId;
    this.maybeStored = facts.maybeStored ?? [];
  }
}

interface ErrorFacts extends Partial<Pick<FileSyncError, 'requestId' | 'storageRequestId' | 'maybeStored'>> {
  readonly cause?: unknown;
}

const descriptions: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no response came in time',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
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

const transientCodes = [
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
];

/** Returns true if a retry may help: not for an unknown host name or a bad certificate. */
export function isTransient(error: unknown): boolean {
  return transientCodes.includes(systemCode(error) ?? '');
}
