/**
 * A reason why the emulator cannot start, with the next step for the person. It is shown without a stack
 * trace.
 */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** An error in AWS's words. Each protocol writes it in its own format. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  /** Further elements of S3's response, besides Code and Message. */
  readonly details: Readonly<Record<string, string>>;
  /** Further headers of S3's response. */
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

/** Creates the emulator's own error for a feature of AWS that the emulator does not support. */
export function unsupported(feature: string): AwsError {
  return new AwsError(501, 'NotImplemented', `The emulator does not support ${feature}.`);
}

/** Returns the message of an error. */
export function textOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}

/**
 * Returns the code of a system error, such as ENOENT, or of an AWS error; undefined for an error without a
 * code.
 */
export function codeOf(error: unknown): string | undefined {
  return error instanceof Error && 'code' in error ? String(error.code) : undefined;
}
