import type { Principal } from '../iam/principal.ts';
import type { HttpResponse } from '../server/write-response.ts';
import { unsupported } from '../shared/errors.ts';
import type { ReceivedRequest } from './request.ts';

/** Unchecked parameters of an operation. */
export type Input = Readonly<Record<string, unknown>>;

/** Output of an operation. */
export type Output = Readonly<Record<string, unknown>>;

/** One authentic call of a service's operation. */
export interface ServiceCall {
  readonly principal: Principal;
  readonly operation: string;
  readonly input: Input;
}

/**
 * Runs a call of an AWS service and returns its output.
 *
 * @throws {AwsError} the error of the service in AWS
 */
export type Service = (call: ServiceCall) => Promise<Output>;

interface NamedEndpoint {
  /** Service as signatures name it: `dynamodb`. */
  readonly name: string;
  /** True if calls are not counted: they are free, or the service itself reports them. */
  readonly uncounted?: boolean;
}

/** A service with AWS's JSON protocol. */
export interface JsonEndpoint extends NamedEndpoint {
  readonly protocol: 'json';
  /** Prefix of the operation in X-Amz-Target: `DynamoDB_20120810`. */
  readonly target: string;
  /** Prefix of the name of an error; empty by default. */
  readonly namespace?: string;
  /** Version of the protocol, part of the content type. */
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

/** A service whose operations are identified by path and method. */
export interface RestEndpoint extends NamedEndpoint {
  readonly protocol: 'rest';
  /** Handles authentic requests. */
  readonly serve: (request: ReceivedRequest, principal: Principal, body: Buffer) => Promise<HttpResponse>;
}

/** S3, which authenticates its requests and reads their bodies itself. */
export interface S3Endpoint extends NamedEndpoint {
  readonly protocol: 's3';
  /** Responds to every request, including with errors. */
  readonly serve: (request: ReceivedRequest) => Promise<void>;
}

/** Protocol of a service, with the function that serves its calls. */
export type Endpoint = JsonEndpoint | QueryEndpoint | RestEndpoint | S3Endpoint;

/**
 * Finds an operation of a service by its name.
 *
 * @throws {AwsError} for an unsupported operation
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
