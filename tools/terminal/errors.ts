import { InvalidInput } from '../operator/errors.ts';

/** Exit codes of the commands. 0 is success. Only `upload` uses the codes from 3 to 6. */
export const exitCodes = {
  /** The command failed. */
  failed: 1,
  /** Invalid arguments. No action was attempted. */
  usage: 2,
  /** The service rejected the client id, client secret or scope. */
  authentication: 3,
  /** The file does not exist, or belongs to another organisation. */
  notFound: 4,
  /** Syncing is not enabled for the file, or the upload URL was already used or cancelled. */
  conflict: 5,
  /** The file exceeds the limit of one PUT. */
  tooLarge: 6,
  /** Stopped by Ctrl-C: 128 plus the number of SIGINT, as in shells. */
  interrupted: 130,
} as const;

/**
 * A failure of a command, with a message for people: what happened, why, and what to do next. Empty if Ctrl-C
 * ended a question.
 */
export class CommandError extends Error {
  readonly exitCode: number;

  constructor(message: string, exitCode: number = exitCodes.failed) {
    super(message);
    this.exitCode = exitCode;
  }
}

/** Invalid arguments. Exit code 2. */
export class UsageError extends CommandError {
  constructor(message: string) {
    super(message, exitCodes.usage);
  }
}

/** Returns the exit code of a program that ends with an error. */
export function exitCodeOf(error: unknown): number {
  if (error instanceof CommandError) {
    return error.exitCode;
  }
  return error instanceof InvalidInput ? exitCodes.usage : exitCodes.failed;
}
