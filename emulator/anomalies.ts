import type { RotationTest } from './secrets-manager/rotation-test.ts';

/** What AWS may do at any time and seldom does. A test asks for it, to show that callers can bear it. */
export interface Anomalies {
  /** How Secrets Manager tests a rotation function. The parts that are left out are those of `documentedRotationTest`. */
  readonly rotationTest?: Partial<RotationTest>;
  /**
   * A read of DynamoDB that does not ask for consistency answers what was there before the last write of each item:
   * nothing for an item that was written once. Indexes are always read so. The emulator forgets it when it ends: after a
   * restart, reads answer what is stored.
   */
  readonly eventuallyConsistent?: boolean;
}
