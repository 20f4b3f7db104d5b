import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { cloudFormationClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/**
 * Lists the resources of a deployment. The stack says the names of its resources: a search by prefix would also find
 * the resources of a stack whose name begins alike.
 */
export async function listStackResources(deployment: Deployment) {
  const client = await cloudFormationClient(deployment);
  const found: StackResourceSummary[] = [];
  for await (const page of client.paginateListStackResources({ StackName: deployment.stackName })) {
    found.push(...(page.StackResourceSummaries ?? []));
  }
  return {
    /** The names of the resources of a type. @param logicalId how the logical IDs begin; default: all of the type */
    namesOf: (type: string, logicalId = ''): readonly string[] =>
      found
        .filter((each) => each.ResourceType === type && each.LogicalResourceId?.startsWith(logicalId))
        .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []),
  };
}
