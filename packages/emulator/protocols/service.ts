import type { Principal } from '../iam/principal.ts';

/** One authentic call of a service's operation. */
export interface ServiceCall {
  readonly principal: Principal;
  readonly operation: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/**
 * A service of AWS: carries out a call and returns its output.
 *
 * @throws {AwsError} as the service in AWS answers
 */
export type Service = (call: ServiceCall) => Promise<Readonly<Record<string, unknown>>>;
