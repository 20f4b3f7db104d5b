import * as v from 'valibot';
import { reasonOf, systemCode } from '../errors.ts';
import { formatSeconds, printable } from '../text.ts';
import { lambdaClient } from './aws-clients.ts';
import { callerOf } from './caller.ts';
import type { Deployment } from './deployment.ts';
import { invokedFunctions, responseLimit } from './invoked-functions.ts';

/**
 * Invokes a function once, and waits for its response up to the time limit of the function.
 *
 * @param output stack output with the name of the function
 * @param event input of the function. The ARN of the caller is added as `operator`
 * @param schema schema of the result
 * @param progress callback for the duration so far, called every second
 * @returns the result, or a sentence about the problem
 */
export async function invokeFunction<Result>(
  deployment: Deployment,
  output: keyof typeof invokedFunctions,
  event: object,
  schema: v.GenericSchema<unknown, Result>,
  progress?: (sentence: string) => void,
) {
  const { name, minutes } = invokedFunctions[output];
  const FunctionName = deployment.outputs[output];
  const startedAt = deployment.now();
  const timer = setInterval(() => {
    const seconds = formatSeconds((deployment.now() - startedAt) / 1000);
    progress?.(`Waiting for ${name}: ${seconds} so far, at most ${minutes} min`);
  }, 1_000);
  try {
    const { FunctionError, Payload = [] } = await invokeOnce(deployment, FunctionName, event, minutes);
    const text = Buffer.from(Payload).toString();
    const response = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    return FunctionError === undefined && response.success
      ? { result: response.output }
      : { problem: `${name} failed: ${messageIn(text)}.` };
  } catch (error) {
    if (error instanceof ResponseLost) {
      return {
        problem: `The response of ${name} was lost (${error.message}), and the function may still be running.`,
      };
    }
    // Lambda rejects an invocation at the concurrency limit (Lambda API reference, Invoke). The SDK has
    // already retried.
    if (error instanceof Error && error.name === 'TooManyRequestsException') {
      return { problem: `${name} was not started: too many functions of the account are running.` };
    }
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** No response arrived. The function may have run, and may still run. */
class ResponseLost extends Error {}

/**
 * Sends the invocation, and retries it only if the function was not started. By default, the SDK also retries
 * after a lost response, and starts a second run beside the first. {@link ResponseLost} stops its retries.
 */
async function invokeOnce(deployment: Deployment, FunctionName: string, event: object, minutes: number) {
  const lambda = await lambdaClient(deployment);
  const { InvokeCommand, LambdaServiceException } = await import('@aws-sdk/client-lambda');
  const command = new InvokeCommand({
    FunctionName,
    Payload: JSON.stringify({ ...event, operator: await callerOf(deployment) }),
  });
  command.middlewareStack.add(
    (next) => (args) =>
      next(args).catch((error: unknown) => {
        const isServerError =
          error instanceof LambdaServiceException && (error.$metadata.httpStatusCode ?? 0) >= 500;
        throw isServerError || isBroken(error) ? new ResponseLost(printable(reasonOf(error))) : error;
      }),
    { step: 'finalizeRequest', priority: 'low' },
  );
  return await lambda.send(command, { requestTimeout: responseLimit(minutes) });
}

/** Returns true if the connection broke after it was opened, or the response timed out. */
function isBroken(error: unknown): boolean {
  const isLate = error instanceof Error && error.name === 'TimeoutError';
  return isLate || ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(systemCode(error) ?? '');
}

/** Error report of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
const failureSchema = v.pipe(v.string(), v.parseJson(), v.object({ errorMessage: v.string() }));

function messageIn(text: string): string {
  const failure = v.safeParse(failureSchema, text);
  return printable(failure.success ? failure.output.errorMessage : text);
}
