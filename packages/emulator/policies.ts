import { type Access, type Authorize, authorizeByPolicies } from './iam/authorize.ts';
import { checkPolicyDocuments, createPolicyStore, type PolicyDocument } from './iam/policy-store.ts';
import { services } from './services.ts';
import type { Log } from './shared/log.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource } from './shared/resource-type.ts';

/** Access by policies, which can be replaced while the emulator serves. */
export interface ReplaceableAccess extends Access {
  /** Replaces the policies by the policies of these resources. */
  readonly usePolicies: (resources: readonly Resource[]) => void;
}

/**
 * Authorizes calls by the policies of these resources.
 *
 * @param log function that is called with a line for each rejected call
 * @throws {Error} naming the resource, for a policy that cannot be evaluated
 */
export function createAccess(
  resources: readonly Resource[],
  stack: StackIdentity,
  log: Log,
): ReplaceableAccess {
  const decideBy = (owners: readonly Resource[]) =>
    authorizeByPolicies(createPolicyStore(policiesOf(owners, stack)), stack, log);
  let current = decideBy(resources);
  return {
    stack,
    authorize: (call) => current(call),
    usePolicies: (others) => {
      current = decideBy(others);
    },
  };
}

/**
 * @throws {Error} naming the resource, for a policy that AWS rejects, although the emulator could evaluate it
 */
export function checkPolicies(resources: readonly Resource[], stack: StackIdentity): void {
  checkPolicyDocuments(policiesOf(resources, stack));
}

/**
 * Rejects a stack that AWS would not deploy, because a resource lacks a permission that its creation
 * requires.
 *
 * @throws {Error} naming the resource, with the reason of the service
 */
export function checkDeployment(
  resources: readonly Resource[],
  authorize: Authorize,
  stack: StackIdentity,
): void {
  for (const service of services) {
    service.checkDeployment?.(resources, { authorize, stack });
  }
}

/** Returns all policies of the template. */
function policiesOf(resources: readonly Resource[], stack: StackIdentity): readonly PolicyDocument[] {
  return services.flatMap(({ policies }) => policies?.(resources, stack) ?? []);
}
