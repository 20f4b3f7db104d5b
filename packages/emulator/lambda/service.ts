import { type Authorize, requireAllowed } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import type { Answer } from '../server/write-answer.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import { type InvokeFunction, tooLargePayload } from './invoke.ts';
import { functionArn, functionNameOf, latestVersion } from './resource-types.ts';

export interface LambdaParts {
  readonly invoke: InvokeFunction;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
}

/** API reference, Invoke. */
const invokePath = /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/;

/** Lambda: Invoke for callers that wait for the outcome. */
export function createLambda({ invoke, authorize, stack }: LambdaParts) {
  return async (request: ReceivedRequest, principal: Principal, body: Buffer): Promise<Answer> => {
    const nameOrArn = invokePath.exec(request.path)?.[1];
    if (request.method !== 'POST' || nameOrArn === undefined) {
      throw new AwsError(404, 'UnknownOperationException', 'The emulator supports Invoke');
    }
    const functionName = functionNameOf(decodeURIComponent(nameOrArn));
    const resource = functionArn(functionName, stack);
    const access = { principal, action: 'lambda:InvokeFunction', resource };
    requireAllowed(access, { authorize, stack }, [403, 'AccessDeniedException']);
    const type = request.headers['x-amz-invocation-type'] ?? 'RequestResponse';
    if (type !== 'RequestResponse') {
      throw new AwsError(
        400,
        'InvalidParameterValueException',
        `Invocation type ${type} is not supported by the emulator`,
      );
    }
    const result = await invoke(functionName, readPayload(body)).catch(() => undefined);
    if (result === undefined) {
      throw new AwsError(
        404,
        'ResourceNotFoundException',
        `Function not found: ${resource}:${latestVersion}`,
      );
    }
    if (!result.ok && result.error.errorType === tooLargePayload.error.errorType) {
      throw new AwsError(413, result.error.errorType, result.error.errorMessage);
    }
    const headers = {
      'content-type': 'application/json',
      'x-amz-executed-version': latestVersion,
      ...(result.ok ? {} : { 'x-amz-function-error': 'Unhandled' }),
    };
    return {
      status: 200,
      headers,
      body: JSON.stringify(result.ok ? (result.payload ?? null) : result.error),
    };
  };
}

function readPayload(body: Buffer): unknown {
  try {
    return body.length === 0 ? {} : JSON.parse(body.toString('utf8'));
  } catch {
    throw new AwsError(400, 'InvalidRequestContentException', 'Could not parse request body into json');
  }
}
