import {
  type CloudFormationClient,
  paginateListStackResources,
  paginateListStacks,
} from '@aws-sdk/client-cloudformation';
import { type DeletedResource, isToImport } from './import-plan.ts';

/** A stack that was deleted, and what it had. */
export interface DeletedStack {
  readonly stackId: string;
  readonly deletedAt: string;
  readonly resources: readonly DeletedResource[];
}

/**
 * Finds the deleted stack of this name that retained data, the last one if there are several. CloudFormation knows
 * deleted stacks for 90 days (API reference, ListStackResources).
 *
 * @param stackId names the deleted stack, where there are several
 * @throws {Error} when a stack of this name exists, or none retained anything
 */
export async function findRetained(
  client: CloudFormationClient,
  name: string,
  stackId?: string,
): Promise<DeletedStack> {
  const stacks = await stacksNamed(client, name);
  const existing = stacks.find(({ status }) => !['DELETE_COMPLETE', 'REVIEW_IN_PROGRESS'].includes(status));
  if (existing !== undefined) {
    throw new Error(
      `The stack ${name} exists (${existing.status}), and resources are imported into a new stack. ` +
        'If its creation failed or it is not needed, delete it first: npx cdk destroy.',
    );
  }
  const deleted = stacks
    .filter((stack) => stack.status === 'DELETE_COMPLETE' && (stackId ?? stack.stackId) === stack.stackId)
    .toSorted((a, b) => b.deletedAt.localeCompare(a.deletedAt));
  for (const stack of deleted) {
    const resources = await resourcesOf(client, stack.stackId);
    if (resources.some(isToImport)) {
      return { ...stack, resources };
    }
  }
  throw new Error(
    `CloudFormation knows no deleted stack ${stackId ?? name} that retained data in this account and region. ` +
      'It forgets deleted stacks after 90 days: docs/deployment.md says how to write the files by hand.',
  );
}

async function stacksNamed(client: CloudFormationClient, name: string) {
  const found: { stackId: string; status: string; deletedAt: string }[] = [];
  for await (const { StackSummaries = [] } of paginateListStacks({ client }, {})) {
    for (const { StackName, StackId = '', StackStatus = '', DeletionTime } of StackSummaries) {
      if (StackName === name) {
        found.push({ stackId: StackId, status: StackStatus, deletedAt: DeletionTime?.toISOString() ?? '' });
      }
    }
  }
  return found;
}

async function resourcesOf(client: CloudFormationClient, stackId: string): Promise<DeletedResource[]> {
  const found: DeletedResource[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stackId })) {
    for (const resource of page.StackResourceSummaries ?? []) {
      found.push({
        logicalId: resource.LogicalResourceId ?? '',
        type: resource.ResourceType ?? '',
        physicalId: resource.PhysicalResourceId ?? '',
        status: resource.ResourceStatus ?? '',
      });
    }
  }
  return found;
}
