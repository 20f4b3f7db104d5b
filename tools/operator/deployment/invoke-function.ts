import { lambdaClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** What a function answered: the text, and whether that is an error. */
interface FunctionAnswer {
  readonly text: string;
  readonly failed: boolean;
}

/** Invokes a function and waits for its answer. */
export async function invokeFunction(
  deployment: Deployment,
  FunctionName: string,
  event: string,
): Promise<FunctionAnswer> {
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const lambda = await lambdaClient(deployment);
  const command = new InvokeCommand({ FunctionName, Payload: Buffer.from(event) });
  const { FunctionError, Payload } = await lambda.send(command);
  return { text: Buffer.from(Payload ?? []).toString('utf8'), failed: FunctionError !== undefined };
}
