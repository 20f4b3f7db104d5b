import type { Stack } from '@aws-sdk/client-cloudformation';
import { outputNames, pickOutputs, type StackOutputs } from '../../../contract/internal/stack-outputs.ts';
import { messageOf, NotFound, OperationError } from '../errors.ts';
import { quoted } from '../text.ts';
import { cloudFormationClient } from './aws-clients.ts';
import { awsClock } from './aws-clock.ts';
import { unreadableResponse } from './aws-errors.ts';
import type { AwsConfig, Deployment } from './deployment.ts';

/**
 * Finds a deployed stack by its name, in the account and region of the SDK's default provider chains.
 *
 * @param awsConfig settings in place of the default provider chains, for tests
 * @throws {OperationError} when there is no such stack, or it is not a stack of this service
 */
export async function stackDeployment(name: string, awsConfig: AwsConfig = {}): Promise<Deployment> {
  const stack = await describeStack(name, awsConfig);
  const { config } = await cloudFormationClient({ awsConfig });
  return {
    stackName: stack.StackName ?? name,
    outputs: readOutputs(stack, name),
    awsConfig,
    ...awsClock(config),
  };
}

/**
 * Reads the description of a stack.
 *
 * @throws {OperationError} when there is no such stack
 */
export async function describeStack(name: string, awsConfig: AwsConfig): Promise<Stack> {
  const client = await cloudFormationClient({ awsConfig });
  const found = await client.describeStacks({ StackName: name }).catch(async (error: unknown) => {
    // CloudFormation has no error code for a missing stack: https://docs.aws.amazon.com/AWSCloudFormation/latest/APIReference/API_DescribeStacks.html
    if (/does not exist/.test(messageOf(error))) {
      throw new NotFound(
        `There is no stack ${quoted(name)} in region ${await client.config.region()} of this AWS account. Check the name, and AWS_REGION and AWS_PROFILE, which choose the region and the account.`,
      );
    }
    throw error;
  });
  const stack = found.Stacks?.[0];
  if (stack === undefined) {
    throw new OperationError(unreadableResponse);
  }
  return stack;
}

/** @throws {OperationError} when the stack is not one of this service, or of another version */
function readOutputs(stack: Stack, name: string): StackOutputs {
  const found = new Map(stack.Outputs?.map((output) => [output.OutputKey, output.OutputValue]));
  const missing = outputNames.filter((output) => !found.get(output));
  if (missing.length > 0) {
    throw new OperationError(
      `The stack ${quoted(name)} (${stack.StackStatus ?? 'status unknown'}) does not have the outputs ${missing.join(', ')}. Deploy this version of the service first, or name another stack.`,
    );
  }
  return pickOutputs((output) => found.get(output));
}
