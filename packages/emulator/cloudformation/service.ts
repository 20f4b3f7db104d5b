import * as v from 'valibot';
import { requireAllowed } from '../iam/authorize.ts';
import { parseInput } from '../protocols/parse-input.ts';
import { findOperation, type Output, type Service, type ServiceCall } from '../protocols/service.ts';
import type { AwsService, ServiceContext } from '../registry/aws-service.ts';
import { AwsError } from '../shared/errors.ts';
import { optionalText } from '../shared/resource-type.ts';
import { stackId } from './load-template.ts';
import { autoDeleteObjectsType, customResourceType } from './resource-types.ts';

/**
 * CloudFormation. It describes the one stack. custom-resources.ts creates the custom resources of the stack.
 */
export const cloudFormation = {
  resourceTypes: [autoDeleteObjectsType, customResourceType],
  start: async (emulator) => ({
    endpoint: {
      protocol: 'query',
      name: 'cloudformation',
      uncounted: true,
      namespace: 'http://cloudformation.amazonaws.com/doc/2010-05-15/',
      serve: createCloudFormation(emulator),
    },
  }),
} satisfies AwsService;

/**
 * Status of a running stack. Its creation time is now because the emulator does not store the time of the
 * first start.
 */
const status = 'CREATE_COMPLETE';

type Parts = Pick<ServiceContext, 'authorize' | 'now' | 'resources' | 'stack'>;

/**
 * CloudFormation (API reference, version 2010-05-15): DescribeStacks, ListStackResources and
 * UpdateTerminationProtection of the one stack. All resources are on one page; AWS limits a page to 1 MB. The
 * emulator cannot delete the stack, so it keeps the termination protection only until it ends.
 */
function createCloudFormation({ stack, resources, authorize, now }: Parts): Service {
  const id = stackId(stack);
  const created = now().toISOString();
  let isProtected = false;
  const operations: Readonly<Record<string, (call: ServiceCall) => Output>> = {
    DescribeStacks: () => ({
      Stacks: {
        member: [
          {
            StackId: id,
            StackName: stack.stackName,
            CreationTime: created,
            StackStatus: status,
            EnableTerminationProtection: isProtected,
          },
        ],
      },
    }),
    ListStackResources: () => ({
      StackResourceSummaries: {
        member: resources.map(({ logicalId, type, ref }) => ({
          LogicalResourceId: logicalId,
          PhysicalResourceId: ref,
          ResourceType: type,
          LastUpdatedTimestamp: created,
          ResourceStatus: status,
        })),
      },
    }),
    UpdateTerminationProtection: ({ input }) => {
      isProtected = input.EnableTerminationProtection === 'true';
      return { StackId: id };
    },
  };
  return async (call) => {
    const operation = findOperation(operations, call.operation);
    const schema = call.operation === 'UpdateTerminationProtection' ? protectionSchema : stackSchema;
    const { StackName } = parseInput(schema, call.input, invalid);
    const action = `cloudformation:${call.operation}`;
    const access = { authorize, stack };
    requireAllowed({ principal: call.principal, action, resource: id }, access, [403, 'AccessDenied']);
    if (StackName !== id && StackName !== stack.stackName) {
      throw new AwsError(400, invalid, `Stack with id ${StackName} does not exist`);
    }
    return operation(call);
  };
}

const stackSchema = v.strictObject({ Version: optionalText, StackName: v.string() });

const protectionSchema = v.strictObject({
  ...stackSchema.entries,
  EnableTerminationProtection: v.picklist(['true', 'false']),
});

const invalid = 'ValidationError';
