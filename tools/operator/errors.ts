import type { NextStep } from './description/next-step.ts';

/** Failure of an operation. The message contains the problem and its cause, for people. */
export class OperationError extends Error {
  readonly kind: 'failed' | 'invalid' | 'not found' = 'failed';
  readonly next: readonly NextStep[];

  constructor(message: string, ...next: readonly NextStep[]) {
    super(message);
    this.name = 'OperationError';
    this.next = next;
  }
}

/** Rejection of an invalid value, before anything was attempted. */
export class InvalidInput extends OperationError {
  override readonly kind = 'invalid';
}

/** Error for an entity that does not exist. */
export class NotFound extends OperationError {
  override readonly kind = 'not found';
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** Returns the `code` of a system or network error (`ENOENT`, `ECONNRESET`), else undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) {
    return undefined;
  }
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Plain descriptions of system and network error codes. */
const descriptions: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file or folder',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EBADF: 'it is not open for this operation',
  EIO: 'the device reported an error',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
  EADDRINUSE: 'another program uses it, perhaps another console',
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no response came in time',
  ENOTFOUND: 'the host name does not exist',
  EAI_AGAIN: 'the host name cannot be looked up at the moment',
  EHOSTUNREACH: 'there is no route to this host',
  ENETUNREACH: 'there is no route to this network',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Returns the cause of an error, as a description and the code, without a full stop. */
export function reasonOf(thrown: unknown): string {
  // fetch stores the reason in `cause`: https://fetch.spec.whatwg.org/#concept-network-error
  const error = thrown instanceof Error && thrown.cause !== undefined ? thrown.cause : thrown;
  const code = systemCode(error);
  if (code === undefined) {
    return messageOf(error);
  }
  const description = descriptions[code];
  return description === undefined ? messageOf(error) || code : `${description} (${code})`;
}

const unreachableCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
  'ENOTFOUND',
]);

/** Returns true for a broken connection, or for a host name that was not found, but not for a bad certificate. */
export function isUnreachable(error: unknown): boolean {
  return unreachableCodes.has(systemCode(error) ?? '');
}
