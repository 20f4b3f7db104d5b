/** An error that AWS would answer with. Each service writes it in its own shape. */
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
