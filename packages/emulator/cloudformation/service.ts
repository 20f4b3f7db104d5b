import { type Authorize, refusalText } from '../iam/authorize.ts';
import type { Service, ServiceCall } from '../protocols/service.ts';
import { AwsError } from '../shared/errors.ts';
import type { StackIdentity } from '../shared/names.ts';
import type { Resource } from '../shared/resource-type.ts';
import { stackId } from './load-template.ts';

/** A stack that serves is complete. It was made now: the emulator does not remember when it was made first. */
const status = 'CREATE_COMPLETE';

export interface CloudFormationParts {
  readonly stack: StackIdentity;
  /** What ListStackResources lists. */
  readonly resources: readonly Resource[];
  readonly authorize: Authorize;
  readonly now: () => Date;
}

/**
 * CloudFormation (API reference, version 2010-05-15): DescribeStacks, ListStackResources and UpdateTerminationProtection
 * of the one stack. All resources are in one page, where AWS sends at most 1 MB.
 * Its protection is forgotten when the emulator ends, as nothing here can delete the stack.
 */
export function createCloudFormation({ stack, resources, authorize, now }: CloudFormationParts): Service {
  const id = stackId(stack);
  const created = now().toISOString();
  let isProtected = false;
  const operations: Readonly<Record<string, (call: ServiceCall) => Readonly<Record<string, unknown>>>> = {
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
      isProtected = requireBoolean(input.EnableTerminationProtection);
      return { StackId: id };
    },
  };
  return async (call) => {
    const operation = Object.hasOwn(operations, call.operation) ? operations[call.operation] : undefined;
    if (operation === undefined) {
      throw new AwsError(400, 'InvalidAction', `Could not find operation ${call.operation}`);
    }
    requireParameters(call);
    const access = {
      principal: call.principal,
      action: `cloudformation:${call.operation}`,
      resource: id,
    };
    if (!authorize(access).allowed) {
      throw new AwsError(403, 'AccessDenied', refusalText(access, stack));
    }
    if (call.input.StackName !== id && call.input.StackName !== stack.stackName) {
      throw invalid(`Stack with id ${String(call.input.StackName)} does not exist`);
    }
    return operation(call);
  };
}

const parameters: Readonly<Record<string, readonly string[]>> = {
  DescribeStacks: ['StackName'],
  ListStackResources: ['StackName'],
  UpdateTerminationProtection: ['StackName', 'EnableTerminationProtection'],
};

function requireParameters({ operation, input }: ServiceCall): void {
  const known = ['Version', ...(parameters[operation] ?? [])];
  const unknown = Object.keys(input).filter((name) => !known.includes(name));
  if (unknown.length > 0) {
    throw invalid(`unsupported parameter ${unknown.join(', ')}`);
  }
}

function requireBoolean(value: unknown): boolean {
  if (value !== 'true' && value !== 'false') {
    throw invalid('EnableTerminationProtection must be true or false');
  }
  return value === 'true';
}

function invalid(text: string): AwsError {
  return new AwsError(400, 'ValidationError', text);
}
