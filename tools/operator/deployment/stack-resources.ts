import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { cloudFormationClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/**
 * Lists the resources of a deployment, by its stack. A search by prefix would also find the resources of a
 * stack with a similar name.
 */
export async function listStackResources(deployment: Deployment) {
  const client = await cloudFormationClient(deployment);
  const found: StackResourceSummary[] = [];
  for await (const page of client.paginateListStackResources({ StackName: deployment.stackName })) {
    found.push(...(page.StackResourceSummaries ?? []));
  }
  return {
    /**
     * Returns the names of the resources of a type.
     *
     * @param logicalId prefix of the logical IDs. Default: all resources
     */
    namesOf: (type: string, logicalId = ''): readonly string[] =>
      found
        .filter((each) => each.ResourceType === type && each.LogicalResourceId?.startsWith(logicalId))
        .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []),
  };
}
