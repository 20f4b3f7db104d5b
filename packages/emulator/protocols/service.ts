import type { Principal } from '../iam/principal.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { unsupported } from '../shared/errors.ts';
import type { ReceivedRequest } from './request.ts';

/** The parameters of an operation, which nobody has checked yet. */
export type Input = Readonly<Record<string, unknown>>;

/** What an operation returned. */
export type Output = Readonly<Record<string, unknown>>;

/** One authentic call of a service's operation. */
export interface ServiceCall {
  readonly principal: Principal;
  readonly operation: string;
  readonly input: Input;
}

/**
 * A service of AWS: carries out a call and returns its output.
 *
 * @throws {AwsError} as the service in AWS answers
 */
export type Service = (call: ServiceCall) => Promise<Output>;

interface NamedEndpoint {
  /** As signatures name the service: `dynamodb`. */
  readonly name: string;
  /** Calls that nobody counts: they are free, or the service itself reports them. */
  readonly uncounted?: boolean;
}

/** A service with AWS's JSON protocol. */
export interface JsonEndpoint extends NamedEndpoint {
  readonly protocol: 'json';
  /** What X-Amz-Target has before the operation: `DynamoDB_20120810`. */
  readonly target: string;
  /** What stands before the name of an error; by default nothing. */
  readonly namespace?: string;
  /** Codes that clients of the older query protocol know, by the names of the errors that have other codes there. */
  readonly queryErrors?: Readonly<Record<string, string>>;
  /** Version of the protocol: part of the content type. */
  readonly version: '1.0' | '1.1';
  readonly serve: Service;
}

/** A service with AWS's query protocol. */
export interface QueryEndpoint extends NamedEndpoint {
  readonly protocol: 'query';
  /** XML namespace of the responses. */
  readonly namespace: string;
  readonly serve: Service;
}

/** A service whose paths and methods name its operations. */
export interface RestEndpoint extends NamedEndpoint {
  readonly protocol: 'rest';
  /** Takes authentic requests. */
  readonly serve: (request: ReceivedRequest, principal: Principal, body: Buffer) => Promise<HttpResponse>;
}

/** S3, which authenticates its requests and reads their bodies by itself. */
export interface S3Endpoint extends NamedEndpoint {
  readonly protocol: 's3';
  /** Answers every request, errors included. */
  readonly serve: (request: ReceivedRequest) => Promise<void>;
}

/** How the calls of a service come, and what answers them. */
export type Endpoint = JsonEndpoint | QueryEndpoint | RestEndpoint | S3Endpoint;

/**
 * Finds an operation of a service by its name.
 *
 * @throws {AwsError} when the emulator does not have the operation
 */
export function findOperation<Operation>(
  operations: Readonly<Record<string, Operation>>,
  name: string,
): Operation {
  const operation = Object.hasOwn(operations, name) ? operations[name] : undefined;
  if (operation === undefined) {
    throw unsupported(`the operation ${name}`);
  }
  return operation;
}
