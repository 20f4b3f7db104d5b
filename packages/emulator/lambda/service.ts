import * as v from 'valibot';
import { type Authorize, type Call, refusalText } from '../iam/authorize.ts';
import type { Principal } from '../iam/principal.ts';
import type { Answer } from '../protocols/answer.ts';
import type { ReceivedRequest } from '../protocols/request.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { ReservedConcurrency } from './concurrency.ts';
import { type InvokeFunction, tooLargePayload } from './invoke.ts';
import { functionArn, functionNameOf, latestVersion } from './resource-types.ts';

export interface LambdaParts {
  readonly invoke: InvokeFunction;
  readonly concurrency: ReservedConcurrency;
  readonly authorize: Authorize;
  readonly stack: StackIdentity;
}

interface LambdaCall {
  readonly request: ReceivedRequest;
  readonly functionName: string;
  /** ARN of the function. */
  readonly resource: string;
  readonly body: Buffer;
}

interface Operation {
  readonly action: string;
  readonly method: string;
  readonly path: RegExp;
  readonly act: (call: LambdaCall, parts: LambdaParts) => Promise<Answer>;
}

/** The operations, by method and path (Lambda API reference). */
const operations: readonly Operation[] = [
  {
    action: 'InvokeFunction',
    method: 'POST',
    path: /^\/2015-03-31\/functions\/([^/]+)\/invocations\/?$/,
    act: invokeNow,
  },
  {
    action: 'PutFunctionConcurrency',
    method: 'PUT',
    path: /^\/2017-10-31\/functions\/([^/]+)\/concurrency\/?$/,
    act: putConcurrency,
  },
  {
    action: 'DeleteFunctionConcurrency',
    method: 'DELETE',
    path: /^\/2017-10-31\/functions\/([^/]+)\/concurrency\/?$/,
    act: deleteConcurrency,
  },
  {
    action: 'GetFunctionConcurrency',
    method: 'GET',
    path: /^\/2019-09-30\/functions\/([^/]+)\/concurrency\/?$/,
    act: getConcurrency,
  },
];

/** Lambda: Invoke for callers that wait for the outcome, and the reserved concurrency of functions. */
export function createLambda(parts: LambdaParts) {
  const { authorize, stack } = parts;
  return async (request: ReceivedRequest, principal: Principal, body: Buffer): Promise<Answer> => {
    const operation = operations.find(
      ({ method, path }) => method === request.method && path.test(request.path),
    );
    if (operation === undefined) {
      const names = operations.map(({ action }) => action).join(', ');
      throw new AwsError(404, 'UnknownOperationException', `The emulator supports ${names}`);
    }
    const nameOrArn = decodeURIComponent(operation.path.exec(request.path)?.[1] ?? '');
    const functionName = functionNameOf(nameOrArn);
    const resource = functionArn(functionName, stack);
    const access: Call = { principal, action: `lambda:${operation.action}`, resource };
    if (!authorize(access).allowed) {
      throw new AwsError(403, 'AccessDeniedException', refusalText(access, stack));
    }
    return operation.act({ request, functionName, resource, body }, parts);
  };
}

const concurrencySchema = v.object({
  ReservedConcurrentExecutions: v.pipe(v.number(), v.integer(), v.minValue(0)),
});

async function putConcurrency({ functionName, resource, body }: LambdaCall, { concurrency }: LambdaParts) {
  requireFunction(functionName, resource, concurrency);
  const input = v.safeParse(concurrencySchema, readPayload(body));
  if (!input.success) {
    const text = 'ReservedConcurrentExecutions is a number of invocations, from 0.';
    throw new AwsError(400, 'InvalidParameterValueException', text);
  }
  await concurrency.set(functionName, input.output.ReservedConcurrentExecutions);
  return jsonAnswer(input.output);
}

async function deleteConcurrency({ functionName, resource }: LambdaCall, { concurrency }: LambdaParts) {
  requireFunction(functionName, resource, concurrency);
  await concurrency.set(functionName, undefined);
  return { status: 204, headers: {}, body: '' };
}

async function getConcurrency({ functionName, resource }: LambdaCall, { concurrency }: LambdaParts) {
  requireFunction(functionName, resource, concurrency);
  const reserved = concurrency.of(functionName);
  return jsonAnswer(reserved === undefined ? {} : { ReservedConcurrentExecutions: reserved });
}

function requireFunction(name: string, resource: string, { knows }: ReservedConcurrency): void {
  if (!knows(name)) {
    throw new AwsError(404, 'ResourceNotFoundException', `Function not found: ${resource}`);
  }
}

function jsonAnswer(value: unknown): Answer {
  return { status: 200, headers: { 'content-type': 'application/json' }, body: JSON.stringify(value) };
}

async function invokeNow(
  { request, functionName, resource, body }: LambdaCall,
  { invoke }: LambdaParts,
): Promise<Answer> {
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
    throw new AwsError(404, 'ResourceNotFoundException', `Function not found: ${resource}:${latestVersion}`);
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
    'x-amz-executed-version': latestVersion,
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
