import type { Principal } from '../iam/principal.ts';

/** One authentic call of a service's operation. */
export interface ServiceCall {
  readonly principal: Principal;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * A service of AWS: acts on a call, or answers with an error of AWS.
 *
 * @throws {AwsError} as the service in AWS answers
 */
export type Service = (call: ServiceCall) => Promise<Readonly<Record<string, unknown>>>;
