import type { RotationTest } from './secrets-manager/rotation-test.ts';

/** What AWS may do, and seldom or never does. A test asks for it, to show that callers can bear it. */
export interface Anomalies {
  /** How Secrets Manager tests a rotation function. The parts that are left out are those of `documentedRotationTest`. */
  readonly rotationTest?: Partial<RotationTest>;
  /**
   * A conditional PUT to S3 that loses to another one gets 409 ConditionalRequestConflict instead of 412. A later PUT gets
   * 412 in any case.
   */
  readonly conflicts?: boolean;
  /** For this long after the first start of a stack, its roles may do nothing: IAM has not told every service yet. */
  readonly accessDelayMilliseconds?: number;
  /** A staging label of a secret that has moved is still seen at its old version for this long, by readers. */
  readonly labelDelayMilliseconds?: number;
  /** A function is frozen between invocations: its timers don't run, and its connections are not read. */
  readonly frozenFunctions?: boolean;
  /** A function's `WWW-Authenticate` comes to clients of the HTTP API as `x-amzn-remapped-www-authenticate`. */
  readonly renamedChallenge?: boolean;
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
