/** What AWS may do, and seldom or never does. A test asks for it, to show that callers can bear it. */
export interface Anomalies {
  /**
   * A read of DynamoDB that does not ask for consistency answers what was there before the last write of each item:
   * nothing for an item that was written once. Indexes are always read so. The emulator forgets it when it ends: after a
   * restart, reads answer what is stored.
   */
  readonly eventuallyConsistent?: boolean;
  /**
   * S3 evaluates `If-None-Match` as a header only, and ignores it in the query of a presigned URL, as some servers with
   * S3's API do. A URL that should work once then works again.
   */
  readonly ignoresIfNoneMatch?: boolean;
}
