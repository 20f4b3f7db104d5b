import { listed, readable, resourcesOf, type TemplateDocument } from '../support/synthesized.ts';

export interface Statement {
  readonly Effect: 'Allow' | 'Deny';
  readonly Action: unknown;
  readonly Resource?: unknown;
  readonly Principal?: unknown;
  readonly Condition?: unknown;
}

/** Property that contains the policy document, by resource type. */
const documentProperties = {
  'AWS::IAM::Policy': 'PolicyDocument',
  'AWS::IAM::Role': 'AssumeRolePolicyDocument',
  'AWS::KMS::Key': 'KeyPolicy',
  'AWS::S3::BucketPolicy': 'PolicyDocument',
  'AWS::SQS::QueuePolicy': 'PolicyDocument',
} as const;

type PolicyType = keyof typeof documentProperties;

export const policyTypes = Object.keys(documentProperties) as PolicyType[];

/** Returns every statement in policies of a type, by logical id. */
export function statementsOf(document: TemplateDocument, type: PolicyType): readonly [string, Statement][] {
  return resourcesOf(document, type).flatMap(([id, { Properties }]) => {
    const policy = Properties?.[documentProperties[type]] as { readonly Statement: readonly Statement[] };
    return policy.Statement.map((statement): [string, Statement] => [id, statement]);
  });
}

/**
 * Returns the permissions of each role, as `action on resource` lines, from all policies that name the role.
 */
export function permissionsByRole(document: TemplateDocument): Readonly<Record<string, readonly string[]>> {
  const permissions: Record<string, string[]> = {};
  for (const [, { Properties }] of resourcesOf(document, 'AWS::IAM::Policy')) {
    const { Roles, PolicyDocument } = Properties as {
      readonly Roles: readonly unknown[];
      readonly PolicyDocument: { readonly Statement: readonly Statement[] };
    };
    for (const role of Roles.map(readable)) {
      permissions[role] = [...(permissions[role] ?? []), ...PolicyDocument.Statement.flatMap(lines)].sort();
    }
  }
  return permissions;
}

function lines(statement: Statement): readonly string[] {
  return listed(statement.Action).flatMap((action) =>
    listed(statement.Resource).map((resource) => {
      const denied = statement.Effect === 'Deny' ? 'never ' : '';
      const condition = statement.Condition ? ` if ${JSON.stringify(statement.Condition)}` : '';
      return `${denied}${String(action)} on ${readable(resource)}${condition}`;
    }),
  );
}
