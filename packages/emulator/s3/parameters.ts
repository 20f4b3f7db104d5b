import { presignedParameters } from '../authentication/signature.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { notImplemented } from './errors.ts';

/** Parameters that an operation supports. */
export interface Parameters {
  /** Lower-case names of parameters in a header, or in the query of a presigned URL in any case. */
  readonly options?: readonly string[];
  /** Names of parameters that are only in a header. */
  readonly headers?: readonly string[];
  /** Names of parameters that are only in the query, in exactly this case. */
  readonly query?: readonly string[];
}

/** Parameters of every operation. `x-id` is the operation's name, which the SDK sends. */
const common = {
  options: ['x-amz-content-sha256', 'x-amz-user-agent'],
  headers: ['x-amz-date', 'x-amz-security-token'],
  query: [...presignedParameters, 'X-Amz-Security-Token', 'x-id'],
};

/** Headers that S3 interprets, besides headers with the prefix `x-amz-`. */
const conditions = ['if-match', 'if-none-match', 'if-modified-since', 'if-unmodified-since', 'range'];

/**
 * Rejects unsupported query parameters and S3 headers. AWS would apply or ignore such a parameter; an
 * emulator that ignored it would hide the difference.
 *
 * @throws {AwsError} 501 NotImplemented, which names the parameter
 */
export function requireSupported({ query, headers }: ReceivedRequest, parameters: Parameters): void {
  const options = new Set([...common.options, ...(parameters.options ?? [])]);
  const inQuery = new Set([...common.query, ...(parameters.query ?? [])]);
  const inHeaders = new Set([...options, ...common.headers, ...(parameters.headers ?? [])]);
  const rejected =
    query.map(({ name }) => name).find((name) => !inQuery.has(name) && !options.has(name.toLowerCase())) ??
    Object.keys(headers).find((name) => isOfS3(name) && !inHeaders.has(name));
  if (rejected !== undefined) {
    throw notImplemented(rejected);
  }
}

function isOfS3(header: string): boolean {
  return header.startsWith('x-amz-') || conditions.includes(header);
}
