import { policyType, roleType } from './resource-types.ts';
import { rolePolicies } from './role-policies.ts';

/**
 * IAM. It serves no calls: the other services call authorize.ts. `satisfies AwsService` is missing, because
 * registry/ imports this folder.
 */
export const iam = { resourceTypes: [policyType, roleType], policies: rolePolicies };
