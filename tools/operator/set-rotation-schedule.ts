import { lambdaClient } from './deployment/aws-clients.ts';
import type { Deployment } from './deployment/deployment.ts';
import { CommandError } from './errors.ts';
import { printable } from './text.ts';

/**
 * Has the `signing-keys` function set the rotation schedule of the deployment. Nobody else can: only that function may
 * use the key of the secret.
 *
 * @throws {CommandError} when the function fails
 */
export async function setRotationSchedule(deployment: Deployment): Promise<void> {
  const { InvokeCommand } = await import('@aws-sdk/client-lambda');
  const lambda = await lambdaClient(deployment);
  const { FunctionError, Payload } = await lambda.send(
    new InvokeCommand({
      FunctionName: deployment.outputs.RotateSigningKeyFunctionName,
      Payload: Buffer.from(JSON.stringify({ action: 'schedule' })),
    }),
  );
  if (FunctionError !== undefined) {
    const text = printable(Buffer.from(Payload ?? []).toString('utf8'));
    throw new CommandError(
      `The secret has no rotation schedule, and the signing-keys function could not set it: ${text}. ` +
        'Read the log of that function. It is safe to repeat this.',
    );
  }
}
