/** Why the emulator cannot start, in words that say what to do. People see the words without a stack trace. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** An error that AWS would answer with. Each protocol writes such an error in a form of its own. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  /** Further elements that S3 sends beside Code and Message. */
  readonly details: Readonly<Record<string, string>>;
  /** Further headers of S3's answer. */
  readonly headers: Readonly<Record<string, string>>;

  constructor(
    status: number,
    code: string,
    message: string,
    details: Readonly<Record<string, string>> = {},
    headers: Readonly<Record<string, string>> = {},
  ) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
    this.headers = headers;
  }
}

/** The emulator's own error for what AWS has and the emulator lacks. */
export function unsupported(what: string): AwsError {
  return new AwsError(501, 'NotImplemented', `The emulator does not support ${what}.`);
}

/** What an error says. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/** The code of an error of the system, such as ENOENT, or of AWS; undefined for an error without a code. */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
