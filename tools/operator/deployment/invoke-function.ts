import type { LambdaServiceException } from '@aws-sdk/client-lambda';
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
  const lambda = await lambdaClient(deployment);
  const Payload = JSON.stringify({ ...event, operator: await callerOf(deployment) });
  const startedAt = deployment.now();
  const timer = setInterval(() => {
    const seconds = formatSeconds((deployment.now() - startedAt) / 1000);
    progress?.(`Waiting for ${name}: ${seconds} so far, at most ${minutes} min`);
  }, 1_000);
  try {
    const requestTimeout = responseLimit(minutes);
    const invoked = await lambda.invoke({ FunctionName, Payload }, { requestTimeout });
    const text = Buffer.from(invoked.Payload ?? []).toString();
    const response = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
    return invoked.FunctionError === undefined && response.success
      ? { result: response.output }
      : { problem: `${name} failed: ${messageIn(text)}.` };
  } catch (error) {
    if (isLost(error)) {
      return {
        problem: `The response of ${name} was lost (${printable(reasonOf(error))}), and the function may still be running.`,
      };
    }
    // Lambda rejects an invocation at the concurrency limit (Lambda API reference, Invoke).
    if (error instanceof Error && error.name === 'TooManyRequestsException') {
      return { problem: `${name} was not started: too many functions of the account are running.` };
    }
    throw error;
  } finally {
    clearInterval(timer);
  }
}

/** Returns true if the function may have run, and may still run: the connection broke, or the response timed out. */
function isLost(error: unknown): boolean {
  const { name, $metadata } = Object(error) as Partial<LambdaServiceException>;
  const isServerError = ($metadata?.httpStatusCode ?? 0) >= 500;
  const isBroken = ['ECONNRESET', 'EPIPE', 'ETIMEDOUT'].includes(systemCode(error) ?? '');
  return isServerError || isBroken || name === 'TimeoutError';
}

/** Error report of Lambda: https://docs.aws.amazon.com/lambda/latest/dg/nodejs-exceptions.html */
const failureSchema = v.pipe(v.string(), v.parseJson(), v.object({ errorMessage: v.string() }));

function messageIn(text: string): string {
  const failure = v.safeParse(failureSchema, text);
  return printable(failure.success ? failure.output.errorMessage : text);
}
