import type { StackResourceSummary } from '@aws-sdk/client-cloudformation';
import { cloudFormationClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** Names of the stack's resources, as CloudFormation knows them. */
export interface StackResources {
  /** @param logicalId how the logical IDs begin; default: all of the type */
  readonly namesOf: (type: string, logicalId?: string) => readonly string[];
}

/**
 * Lists the resources of a deployment. What they are called is asked of the stack: a prefix would also find the resources
 * of a stack whose name begins alike.
 */
export async function listStackResources({
  stackName,
  awsConfig,
}: Pick<Deployment, 'stackName' | 'awsConfig'>): Promise<StackResources> {
  const client = await cloudFormationClient({ awsConfig });
  const found: StackResourceSummary[] = [];
  for await (const page of client.paginateListStackResources({ StackName: stackName })) {
    found.push(...(page.StackResourceSummaries ?? []));
  }
  return {
    namesOf: (type, logicalId = '') =>
      found
        .filter((each) => each.ResourceType === type && each.LogicalResourceId?.startsWith(logicalId))
        .flatMap(({ PhysicalResourceId }) => PhysicalResourceId ?? []),
  };
}
