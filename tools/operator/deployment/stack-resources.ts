import { cloudFormationClient } from './aws-clients.ts';
import type { Deployment } from './deployment.ts';

/** Names of the stack's resources, by type, as CloudFormation knows them. */
export interface StackResources {
  readonly namesOf: (type: string) => readonly string[];
}

/**
 * Lists the resources of a deployment. What they are called is asked of the stack: a prefix would also find the resources
 * of a stack whose name begins alike.
 */
export async function listStackResources({
  stackName,
  awsConfig,
}: Pick<Deployment, 'stackName' | 'awsConfig'>): Promise<StackResources> {
  const { paginateListStackResources } = await import('@aws-sdk/client-cloudformation');
  const client = await cloudFormationClient({ awsConfig });
  const resources: (readonly [type: string | undefined, name: string])[] = [];
  for await (const page of paginateListStackResources({ client }, { StackName: stackName })) {
    for (const { ResourceType, PhysicalResourceId } of page.StackResourceSummaries ?? []) {
      if (PhysicalResourceId !== undefined) {
        resources.push([ResourceType, PhysicalResourceId]);
      }
    }
  }
  return { namesOf: (type) => resources.filter(([of]) => of === type).map(([, name]) => name) };
}
