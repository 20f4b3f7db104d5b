import { policyType, roleType } from './resource-types.ts';
import { rolePolicies } from './role-policies.ts';

/** IAM. It answers no calls: the other services ask authorize.ts. `registry/` imports this folder, so its type is missing here. */
export const iam = { resourceTypes: [policyType, roleType], policies: rolePolicies };
