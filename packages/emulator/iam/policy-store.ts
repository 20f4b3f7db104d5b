import { type PolicyKind, parsePolicy, requireStatements, type Statement } from './policy.ts';

/** A policy as the template has it. */
export interface PolicyDocument {
  readonly kind: PolicyKind;
  /** ARNs of the roles, or of the resource, that the policy belongs to. */
  readonly owners: readonly string[];
  readonly document: unknown;
  /** Name of the policy in an error. */
  readonly where: string;
}

/** The policies of the template, by role and by resource. */
export interface PolicyStore {
  /** Every statement of a role's policies; none for a role that the template does not have. */
  readonly ofRole: (roleArn: string) => readonly Statement[];
  /** Statements of the policy of a resource, or of the bucket of an object; undefined without a policy. */
  readonly ofResource: (arn: string) => readonly Statement[] | undefined;
}

/** A policy that belongs to a resource, such as a bucket or a key. */
export function resourcePolicy(arn: string, document: unknown, where: string): PolicyDocument {
  return { kind: 'resource', owners: [arn], document, where };
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
 * @throws {Error} naming the resource, for a policy that AWS would not take
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

/** An object has no policy of its own: the policy of its bucket applies. */
function bucketOf(arn: string): string {
  return arn.includes(':s3:::') ? arn.replace(/\/.*$/s, '') : arn;
}
