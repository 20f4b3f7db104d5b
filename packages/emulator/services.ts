import { apiGateway } from './api-gateway/service.ts';
import { cloudFormation } from './cloudformation/service.ts';
import { cloudWatch } from './cloudwatch/service.ts';
import { type DynamoDbSettings, dynamoDb } from './dynamodb/service.ts';
import { events } from './events/service.ts';
import { type Access, type Authorize, authorizeByPolicies } from './iam/authorize.ts';
import { checkPolicyDocuments, createPolicyStore, type PolicyDocument } from './iam/policy-store.ts';
import { iam } from './iam/service.ts';
import { kms } from './kms/service.ts';
import { lambda } from './lambda/service.ts';
import { logs } from './logs/service.ts';
import type { AwsService } from './registry/aws-service.ts';
import { type S3Settings, s3 } from './s3/service.ts';
import { secretsManager } from './secrets-manager/service.ts';
import type { Log } from './shared/log.ts';
import type { StackIdentity } from './shared/names.ts';
import type { Resource, ResourceTypes } from './shared/resource-type.ts';
import { sns } from './sns/service.ts';
import { sqs } from './sqs/service.ts';
import { sts } from './sts/service.ts';

/** Settings of all services. */
export interface ServiceSettings extends DynamoDbSettings, S3Settings {}

/** All services of the emulator. */
export const services: readonly AwsService<ServiceSettings>[] = [
  apiGateway,
  cloudFormation,
  cloudWatch,
  dynamoDb,
  events,
  iam,
  kms,
  lambda,
  logs,
  s3,
  secretsManager,
  sns,
  sqs,
  sts,
];

/** All supported resource types, by name in the template. Any other type stops the start. */
export const resourceTypes: ResourceTypes = Object.fromEntries(
  services.flatMap((service) => service.resourceTypes.map((type) => [type.type, type])),
);

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
