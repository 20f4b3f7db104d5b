import type * as v from 'valibot';
import type { StackIdentity } from '../shared/names.ts';
import { ofType, type Resource, type ResourceType, type TypedResource } from '../shared/resource-type.ts';
import { type PolicyKind, parsePolicy, requireStatements, type Statement } from './policy.ts';

/** A policy in the form of the template. */
export interface PolicyDocument {
  readonly kind: PolicyKind;
  /** ARNs of the policy's roles or resource. */
  readonly owners: readonly string[];
  readonly document: unknown;
  /** Name of the policy in error messages. */
  readonly where: string;
}

/** Collects the policies of one kind of resource. Throws an error that names a resource with an invalid policy. */
export type PolicyCollector = (
  resources: readonly Resource[],
  stack: StackIdentity,
) => readonly PolicyDocument[];

/** Policies of the template, by role and by resource. */
export interface PolicyStore {
  /** Returns all statements of a role's policies; none for a role that is not in the template. */
  readonly ofRole: (roleArn: string) => readonly Statement[];
  /** Returns the policy statements of a resource, or of an object's bucket; undefined without a policy. */
  readonly ofResource: (arn: string) => readonly Statement[] | undefined;
}

/**
 * Collects a policy from each resource of a type.
 *
 * @param read function that returns the policy, with the ARNs of the resources that it protects
 */
export function policiesFrom<Schema extends v.GenericSchema>(
  type: ResourceType<Schema>,
  read: (
    resource: TypedResource<Schema>,
    stack: StackIdentity,
  ) => Pick<PolicyDocument, 'owners' | 'document'>,
): PolicyCollector {
  return (resources, stack) =>
    ofType(resources, type).map((resource) => ({
      kind: 'resource',
      where: resource.logicalId,
      ...read(resource, stack),
    }));
}

/** @throws {Error} naming the resource, for a policy that {@link parsePolicy} rejects */
export function createPolicyStore(documents: readonly PolicyDocument[]): PolicyStore {
  const roles = statementsByOwner(documents.filter(({ kind }) => kind === 'identity'));
  const resources = statementsByOwner(documents.filter(({ kind }) => kind !== 'identity'));
  return {
    ofRole: (arn) => roles.get(arn) ?? [],
    ofResource: (arn) => resources.get(arn) ?? resources.get(bucketOf(arn)),
  };
}

/**
 * Rejects a policy without statements. The emulator could evaluate such a policy, but AWS does not deploy it.
 *
 * @throws {Error} naming the resource, for a policy that AWS rejects
 */
export function checkPolicyDocuments(documents: readonly PolicyDocument[]): void {
  for (const { kind, document, where } of documents) {
    requireStatements(parsePolicy(document, kind, where), where);
  }
}

function statementsByOwner(documents: readonly PolicyDocument[]): ReadonlyMap<string, readonly Statement[]> {
  const statements = new Map<string, readonly Statement[]>();
  for (const { kind, owners, document, where } of documents) {
    const parsed = parsePolicy(document, kind, where);
    for (const owner of owners) {
      statements.set(owner, [...(statements.get(owner) ?? []), ...parsed]);
    }
  }
  return statements;
}

/** The policy of its bucket applies to an object. */
function bucketOf(arn: string): string {
  return arn.includes(':s3:::') ? arn.replace(/\/.*$/s, '') : arn;
}
