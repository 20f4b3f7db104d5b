/** Why the emulator cannot start, in words that say what to do. It is shown as it is, without a stack trace. */
export class StartProblem extends Error {
  override readonly name = 'StartProblem';
}

/** An error that AWS would answer with. Each protocol writes it in a form of its own. */
export class AwsError extends Error {
  readonly status: number;
  readonly code: string;
  /** Further elements that S3 sends beside Code and Message. */
  readonly details: Readonly<Record<string, string>>;

  constructor(status: number, code: string, message: string, details: Readonly<Record<string, string>> = {}) {
    super(message);
    this.status = status;
    this.code = code;
    this.details = details;
  }
}
