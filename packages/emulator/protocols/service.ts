import type { Principal } from '../iam/principal.ts';
import { AwsError } from '../shared/errors.ts';

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

/**
 * Finds an operation of a service by its name.
 *
 * @throws {AwsError} when the emulator does not have it
 */
export function findOperation<Operation>(
  operations: Readonly<Record<string, Operation>>,
  name: string,
): Operation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) {
    throw new AwsError(400, 'UnknownOperationException', `The emulator does not support ${name}`);
  }
  return operation;
}
