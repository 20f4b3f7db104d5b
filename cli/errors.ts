/** Exit code of a command that was understood and failed. */
export const failedExitCode = 1;

/** Exit code of a command line that makes no sense: nothing was attempted. */
export const usageExitCode = 2;

/**
 * A failure that a person can act on. Its message is the whole text that they get to see: a sentence that says
 * what went wrong and, where there is something to do about it, what.
 */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = failedExitCode) {
    super(message);
    this.name = 'CommandError';
    this.exitCode = exitCode;
  }
}

/** A command line that cannot be meant as it stands. Exit code 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, usageExitCode);
    this.name = 'UsageError';
  }
}

/** The message of anything that was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The `code` of a system or network error (`ENOENT`, `ECONNRESET`), else undefined. */
export function systemCode(error: unknown): string | undefined {
  if (!(error instanceof Error) || !('code' in error)) return undefined;
  return typeof error.code === 'string' ? error.code : undefined;
}

/** What system and network errors mean, for people who do not know them by their codes. */
const meanings: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such file',
  EACCES: 'permission denied',
  EPERM: 'permission denied',
  EISDIR: 'it is a folder',
  EBADF: 'it is not open for this',
  EIO: 'the device or its driver failed',
  EROFS: 'it cannot be written to',
  ENOSPC: 'no space is left',
  EDQUOT: 'no space is left',
  EFBIG: 'a file may not become so large here',
  ECONNREFUSED: 'nothing listens there',
  ECONNRESET: 'the connection was closed',
  EPIPE: 'the connection was closed',
  ETIMEDOUT: 'nothing came back in time',
  ENOTFOUND: 'no host has this name',
  EAI_AGAIN: 'the name cannot be looked up now',
  EHOSTUNREACH: 'there is no way to this host',
  ENETUNREACH: 'there is no way to this host',
  CERT_HAS_EXPIRED: 'its certificate has expired',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'its certificate is not trusted',
  SELF_SIGNED_CERT_IN_CHAIN: 'its certificate is not trusted',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'its certificate is not trusted',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'its certificate is not trusted',
  ERR_TLS_CERT_ALTNAME_INVALID: 'its certificate is for another host',
};

/** Why something failed, for people, with the code for those who search for it. Without a full stop. */
export function reasonOf(error: unknown): string {
  const code = systemCode(error);
  if (code === undefined) return messageOf(error);
  const meaning = meanings[code];
  return meaning === undefined ? messageOf(error) || code : `${meaning} (${code})`;
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

/** Whether a broken connection is worth another attempt. A wrong name or certificate is not. */
export function isTransient(error: unknown): boolean {
  return transientCodes.has(systemCode(error) ?? '');
}
