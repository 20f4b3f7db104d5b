import { cloudWatch } from '../cloudwatch/service.ts';
import { type Access, requireAllowed } from '../iam/authorize.ts';
import { logs } from '../logs/service.ts';
import type { RestEndpoint } from '../protocols/service.ts';
import type { AwsService } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { ofType, type Resource } from '../shared/resource-type.ts';
import { logFileOf, logGroupOf } from './function-log.ts';
import { createFunctions } from './functions.ts';
import { type InvokeFunction, tooLargePayload } from './invoke.ts';
import { readFunctionName, readPayload } from './read-invocation.ts';
import {
  eventInvokeConfigType,
  functionArn,
  functionPolicies,
  functionType,
  latestVersion,
  permissionType,
} from './resource-types.ts';
import type { LambdaSettings } from './settings.ts';

/** Lambda: runs the functions of the template in workers. */
export const lambda = {
  resourceTypes: [eventInvokeConfigType, functionType, permissionType],
  policies: functionPolicies,
  checkDeployment,
  start: async (emulator, use) => {
    const { resources, logDirectory, functions: given, disposals } = emulator;
    const { files } = await use(logs);
    for (const each of ofType(resources, functionType)) {
      files.set(logGroupOf(each), logFileOf(each, logDirectory));
    }
    const { metrics } = await use(cloudWatch);
    const functions = 'invoke' in given ? given : createFunctions(emulator, given, metrics);
    disposals.defer(functions.close);
    return {
      ...functions,
      endpoint: { protocol: 'rest', name: 'lambda', serve: createLambda(functions.invoke, emulator) },
    };
  },
} satisfies AwsService<LambdaSettings>;

/** Lambda API reference, CreateFunction: the role must trust Lambda, and be able to send dead letters. */
function checkDeployment(resources: readonly Resource[], { authorize }: Access): void {
  for (const { logicalId, attributes, ref, properties } of ofType(resources, functionType)) {
    const { Role, DeadLetterConfig } = properties;
    const sourceArn = attributes.Arn ?? '';
    const service = { kind: 'service', service: 'lambda.amazonaws.com', sourceArn } as const;
    if (!authorize({ principal: service, action: 'sts:AssumeRole', resource: Role }).allowed) {
      throw new Error(`${logicalId}: The role defined for the function cannot be assumed by Lambda.`);
    }
    const principal = { kind: 'session', roleArn: Role, sessionName: ref } as const;
    const resource = DeadLetterConfig?.TargetArn;
    if (resource !== undefined && !authorize({ principal, action: 'sqs:SendMessage', resource }).allowed) {
      throw new Error(
        `${logicalId}: The provided execution role does not have permissions to call SendMessage on SQS`,
      );
    }
  }
}

/** Lambda: Invoke, for callers that wait for the outcome. */
function createLambda(invoke: InvokeFunction, access: Access): RestEndpoint['serve'] {
  return async (request, principal, body) => {
    const functionName = readFunctionName(request);
    const resource = functionArn(functionName, access.stack);
    const call = { principal, action: 'lambda:InvokeFunction', resource };
    requireAllowed(call, access, [403, 'AccessDeniedException']);
    const result = await invoke(functionName, readPayload(request, body)).catch(() => undefined);
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
    return {
      status: 200,
      headers: {
        'content-type': 'application/json',
        'x-amz-executed-version': latestVersion,
        ...(result.ok ? {} : { 'x-amz-function-error': 'Unhandled' }),
      },
      body: JSON.stringify(result.ok ? (result.payload ?? null) : result.error),
    };
  };
}
