import { type Authorize, authorizeByPolicies } from './iam/authorize.ts';
import { checkPolicyDocuments, createPolicyStore, type PolicyDocument } from './iam/policy-store.ts';
import { rolePolicies } from './iam/role-policies.ts';
import { keyPolicies } from './kms/resource-types.ts';
import { functionPolicies } from './lambda/resource-types.ts';
import { bucketPolicies } from './s3/resource-types.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource } from './shared/resource-type.ts';
import { topicPolicies } from './sns/resource-types.ts';
import { queuePolicies } from './sqs/resource-types.ts';

/**
 * Decides access by the policies of these resources.
 *
 * @param log takes a line for each refused call
 * @throws {Error} naming the resource, for a policy with anything in it that cannot be evaluated
 */
export function createAuthorize(
  resources: readonly Resource[],
  stack: StackIdentity,
  log: (line: Readonly<Record<string, unknown>>) => void,
): Authorize {
  return authorizeByPolicies(createPolicyStore(policiesOf(resources, stack)), stack, log);
}

/** @throws {Error} naming the resource, for a policy that AWS would not take, though it could be evaluated */
export function checkPolicies(resources: readonly Resource[], stack: StackIdentity): void {
  checkPolicyDocuments(policiesOf(resources, stack));
}

/** Every policy of the template. */
function policiesOf(resources: readonly Resource[], stack: StackIdentity): readonly PolicyDocument[] {
  return [
    ...rolePolicies(resources),
    ...keyPolicies(resources),
    ...bucketPolicies(resources, stack),
    ...queuePolicies(resources, stack),
    ...topicPolicies(resources),
    ...functionPolicies(resources, stack),
  ];
}
