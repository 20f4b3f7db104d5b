import { type Stack, Validations } from 'aws-cdk-lib';
import type { CfnFunction, Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { allow } from './allow.ts';
import { ServiceFunction } from './service-function.ts';

/**
 * Has Lambda send a trace of sampled invocations of every function to X-Ray: how long the start, the code and its end took.
 * The functions do not know of it: there is no SDK of X-Ray in their bundles, so a cold start loads nothing more, and the
 * calls of AWS inside an invocation are not parts of the trace.
 */
export function traceFunctions(stack: Stack): void {
  for (const construct of stack.node.findAll()) {
    if (construct instanceof ServiceFunction) {
      trace(construct);
    }
  }
}

function trace({ function: lambda, role }: ServiceFunction): void {
  cfnFunctionOf(lambda).tracingConfig = { mode: 'Active' };
  // Lambda sends the traces by the role of the function (Lambda, "Visualize Lambda function invocations using X-Ray").
  // X-Ray has no resources for these actions (Service Authorization Reference, "Actions defined by AWS X-Ray").
  allow(role, { actions: ['xray:PutTraceSegments', 'xray:PutTelemetryRecords'], resources: ['*'] });
  Validations.of(role).acknowledge({
    id: 'AwsSolutions-IAM5[Resource::*]',
    reason: 'X-Ray has no resource for PutTraceSegments and PutTelemetryRecords.',
  });
}

function cfnFunctionOf({ node }: LambdaFunction): CfnFunction {
  return node.defaultChild as CfnFunction;
}
