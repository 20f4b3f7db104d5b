import { type Authorize, type Call, refusalText } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { Answer } from '../protocols/answer.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { type InvokeFunction, tooLargePayload } from './invoke.ts';
import { functionArn, functionNameOf } from './resource-types.ts';

const invocationPath = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/** Lambda's Invoke (API reference, version 2015-03-31), for callers that wait for the outcome. */
export function createLambda(invoke: InvokeFunction, authorize: Authorize, stack: StackIdentity) {
  return async (request: ReceivedRequest, principal: Principal, body: Buffer): Promise<Answer> => {
    const match = invocationPath.exec(request.path);
    if (match === null || request.method !== 'POST') {
      throw new AwsError(404, 'UnknownOperationException', 'The emulator supports Invoke alone');
    }
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (type !== 'RequestResponse') {
      throw new AwsError(
        400,
        'InvalidParameterValueException',
        `Invocation type ${type} is not supported by the emulator`,
      );
    }
    const functionName = functionNameOf(decodeURIComponent(match[1] ?? ''));
    const resource = functionArn(functionName, stack);
    const access: Call = { principal, action: 'lambda:InvokeFunction', resource };
    if (!authorize(access).allowed) {
      throw new AwsError(403, 'AccessDeniedException', refusalText(access, stack));
    }
    return invokeNow(invoke, functionName, readPayload(body), resource);
  };
}

async function invokeNow(
  invoke: InvokeFunction,
  functionName: string,
  payload: unknown,
  resource: string,
): Promise<Answer> {
  const result = await invoke(functionName, payload).catch(() => undefined);
  if (result === undefined) {
    const text = `Function not found: ${resource}:$LATEST`;
    throw new AwsError(404, 'ResourceNotFoundException', text);
  }
  if (!result.ok && result.error.errorType === 'TooManyRequestsException') {
    const details = { Reason: 'ReservedFunctionConcurrentInvocationLimitExceeded' };
    throw new AwsError(429, result.error.errorType, result.error.errorMessage, details);
  }
  if (!result.ok && result.error.errorType === tooLargePayload.error.errorType) {
    throw new AwsError(413, result.error.errorType, result.error.errorMessage);
  }
  const headers = {
    'content-type': 'application/json',
    'x-amz-executed-version': '$LATEST',
    ...(result.ok ? {} : { 'x-amz-function-error': 'Unhandled' }),
  };
  return { status: 200, headers, body: JSON.stringify(result.ok ? (result.payload ?? null) : result.error) };
}

function readPayload(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError(400, 'InvalidRequestContentException', 'Could not parse request body into json');
  }
}
