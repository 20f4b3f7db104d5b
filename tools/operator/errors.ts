/** Exit codes of the commands. 0 is success. Only `upload` uses the codes from 3 to 6. */
export const exitCodes = {
  /** The command failed. */
  failed: 1,
  /** Invalid arguments: nothing was attempted. */
  usage: 2,
  /** The service refused the client id, client secret or scope. */
  authentication: 3,
  /** The file does not exist, or belongs to another organisation. */
  notFound: 4,
  /** Syncing is not enabled for the file, or the upload URL was already used or cancelled. */
  conflict: 5,
  /** The file is larger than one PUT allows. */
  tooLarge: 6,
  /** Stopped by Ctrl-C: 128 and the number of SIGINT, as shells have it. */
  interrupted: 130,
  /**
   * The reader of a download on standard output went away before it had everything. It is what a shell reports for a
   * program that SIGPIPE ended: 128 + 13.
   */
  closedPipe: 141,
} as const;

/** A failure with a message for people: what happened, why, and what to do next. The message is all that is shown. */
export class CommandError extends Error {
  readonly exitCode: number;
  /** Parameters of the admin command that help next, for each command. The admin program shows them as lines to type. */
  readonly next: readonly (readonly string[])[];

  constructor(
    message: string,
    exitCode: number = exitCodes.failed,
    next: readonly (readonly string[])[] = [],
  ) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
    this.next = next;
  }
}

/** What was asked for does not exist. */
export class NotFoundError extends CommandError {
  constructor(message: string) {
    super(message);
    this.name = 'NotFoundError';
  }
}

/** Invalid arguments. Exit code 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
    this.name = 'UsageError';
  }
}

/** Stopped by Ctrl-C. There is nothing to say: whoever did it knows why. */
export class Interrupted extends CommandError {
  constructor() {
    super('', exitCodes.interrupted);
    this.name = 'Interrupted';
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system or network error (`ENOENT`, `ECONNRESET`), else undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) {
    return undefined;
  }
  return typeof error.code === 'string' ? error.code : undefined;
}

/** Plain descriptions of system and network error codes. */
const descriptions: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EBADF: 'it is not open for this operation',
  EIO: 'the device reported an error',
  EROFS: 'the file system is read-only',
  ENOSPC: 'no space is left',
  EDQUOT: 'the disk quota is used up',
  EFBIG: 'the file would exceed the size limit',
  ECONNREFUSED: 'nothing listens at this address',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'no answer came in time',
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

/** Why something failed: a description and the code, without a full stop. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) {
    return messageOf(error);
  }
  const description = descriptions[code];
  return description === undefined ? messageOf(error) || code : `${description} (${code})`;
}

const transientCodes = new Set([
  'ECONNREFUSED',
  'ECONNRESET',
  'ECONNABORTED',
  'EPIPE',
  'ETIMEDOUT',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'ENETDOWN',
]);

/** Whether a retry may help: true for a broken connection, false for an unknown host name or a bad certificate. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(systemCode(error) ?? '');
}

/** Whether the other side could not be reached: a transient error, or a host name that was not found. */
export function isUnreachable(error: unknown): boolean {
  return isTransient(error) || systemCode(error) === 'ENOTFOUND';
}
