import * as v from 'valibot';
import { lambdaClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** The answer of a function: its result, or the text of a failure or of an unexpected answer. */
type FunctionAnswer<Result> =
  | { readonly result: Result; readonly problem?: undefined }
  | { readonly result?: undefined; readonly problem: string };

/** Invokes a function and waits for its answer. @param schema of the result */
export async function invokeFunction<Result>(
  deployment: Deployment,
  FunctionName: string,
  event: unknown,
  schema: v.GenericSchema<unknown, Result>,
): Promise<FunctionAnswer<Result>> {
  const lambda = await lambdaClient(deployment);
  const { FunctionError, Payload } = await lambda.invoke({ FunctionName, Payload: JSON.stringify(event) });
  const text = Buffer.from(Payload ?? []).toString('utf8');
  const answer = v.safeParse(v.pipe(v.string(), v.parseJson(), schema), text);
  return FunctionError === undefined && answer.success ? { result: answer.output } : { problem: text };
}
