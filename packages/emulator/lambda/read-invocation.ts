import { unsupportedParameter } from '../protocols/parse-input.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError, unsupported } from '../shared/errors.ts';
import { functionNameOf } from './resource-types.ts';

/** API reference, Invoke. */
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/** Headers in every call of the SDK. */
const commonHeaders = ['x-amz-content-sha256', 'x-amz-date', 'x-amz-security-token', 'x-amz-user-agent'];

/**
 * Returns the name of the invoked function.
 *
 * @throws {AwsError} for another operation
 */
export function readFunctionName({ path, method }: ReceivedRequest): string {
  const nameOrArn = invokePath.exec(path)?.[1];
  if (method !== 'POST' || nameOrArn === undefined) {
    throw unsupported('any operation but Invoke');
  }
  return functionNameOf(decodeURIComponent(nameOrArn));
}

/**
 * Reads the payload of the invocation.
 *
 * @throws {AwsError} for an unsupported parameter, and for a payload that is not JSON
 */
export function readPayload(request: ReceivedRequest, body: Buffer): unknown {
  const unsupported = unsupportedIn(request);
  if (unsupported !== undefined) {
    throw unsupportedParameter(unsupported);
  }
  try {
    return body.length === 0 ? {} : JSON.parse(new TextDecoder('utf-8', { fatal: true }).decode(body));
  } catch {
    const message = 'Could not parse request body into json: Could not parse payload into json';
    throw new AwsError(400, 'InvalidRequestContentException', message);
  }
}

function unsupportedIn({ query, headers }: ReceivedRequest): string | undefined {
  const { 'x-amz-invocation-type': type = 'RequestResponse', ...others } = headers;
  if (type !== 'RequestResponse') {
    return `x-amz-invocation-type: ${type}`;
  }
  const header = Object.keys(others).find(
    (name) => name.startsWith('x-amz-') && !commonHeaders.includes(name),
  );
  return header ?? query[0]?.name;
}
