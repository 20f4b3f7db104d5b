import { parse } from 'valibot';
import { permissionSchema } from '../lambda/resource-types.ts';
import { arn as regionalArn } from '../shared/names.ts';
import type { Resource, StackIdentity } from '../shared/resource-type.ts';
import { ofType } from '../shared/resources.ts';
import { managedPolicies } from './managed-policies.ts';
import { type PolicyKind, parsePolicy, requireStatements, type Statement } from './policy.ts';

/** The policies of the template, by what they belong to. */
export interface PolicyStore {
  /** Everything that a role's own policies say; empty for a role that the template does not have. */
  readonly ofRole: (roleArn: string) => readonly Statement[];
  /** The policy of the resource that an ARN names or lies in; undefined when it has none. */
  readonly ofResource: (arn: string) => readonly Statement[] | undefined;
}

/** @throws {Error} naming the resource, for a policy that cannot be judged */
export function collectPolicies(resources: readonly Resource[], stack: StackIdentity): PolicyStore {
  const documents = policyDocuments(resources, stack);
  const roles = statementsByOwner(documents.filter(({ kind }) => kind === 'identity'));
  const policies = statementsByOwner(documents.filter(({ kind }) => kind !== 'identity'));
  return {
    ofRole: (arn) => roles.get(arn) ?? [],
    ofResource: (arn) =>
      policies.get(arn) ?? (arn.includes(':s3:::') ? policies.get(arn.replace(/\/.*$/s, '')) : undefined),
  };
}

/** @throws {Error} naming the resource, for a policy that can be judged and that AWS would not take */
export function checkPolicies(resources: readonly Resource[], stack: StackIdentity): void {
  for (const { kind, document, where } of policyDocuments(resources, stack)) {
    requireStatements(parsePolicy(document, kind, where), where);
  }
}

/** A policy as the template has it. */
interface PolicyDocument {
  readonly kind: PolicyKind;
  /** ARNs of the roles, or of the resource, that it belongs to. */
  readonly owners: readonly string[];
  readonly document: unknown;
  /** What it is called in an error. */
  readonly where: string;
}

function statementsByOwner(documents: readonly PolicyDocument[]): ReadonlyMap<string, readonly Statement[]> {
  const statements = new Map<string, readonly Statement[]>();
  for (const { kind, owners, document, where } of documents) {
    const parsed = parsePolicy(document, kind, where);
    for (const owner of owners) statements.set(owner, [...(statements.get(owner) ?? []), ...parsed]);
  }
  return statements;
}

function policyDocuments(resources: readonly Resource[], stack: StackIdentity): readonly PolicyDocument[] {
  return [...identityPolicies(resources), ...resourcePolicies(resources, stack)];
}

function identityPolicies(resources: readonly Resource[]): readonly PolicyDocument[] {
  const roles = ofType(resources, 'AWS::IAM::Role');
  const arnsOf = (names: readonly string[]) =>
    roles.filter(({ ref }) => names.includes(ref)).map(({ attributes }) => attributes.Arn ?? '');
  return [
    ...roles.flatMap(({ logicalId, attributes, properties }) => {
      const owners = [attributes.Arn ?? ''];
      const own = (properties.Policies ?? []).map(({ PolicyName, PolicyDocument }) =>
        identityPolicy(owners, PolicyDocument, `${logicalId} (${PolicyName})`),
      );
      const managed = (properties.ManagedPolicyArns ?? []).map((arn) =>
        managedPolicy(owners, arn, logicalId),
      );
      return [...own, ...managed];
    }),
    ...ofType(resources, 'AWS::IAM::Policy').map(({ logicalId, properties }) =>
      identityPolicy(arnsOf(properties.Roles), properties.PolicyDocument, logicalId),
    ),
  ];
}

function identityPolicy(owners: readonly string[], document: unknown, where: string): PolicyDocument {
  return { kind: 'identity', owners, document, where };
}

function managedPolicy(owners: readonly string[], arn: string, logicalId: string): PolicyDocument {
  const name = arn.replace(/^.*:policy\//, '');
  const document = managedPolicies[name];
  if (document === undefined) throw new Error(`${logicalId}: unknown managed policy ${arn}`);
  return identityPolicy(owners, document, `${logicalId}: ${name}`);
}

function resourcePolicies(resources: readonly Resource[], stack: StackIdentity): readonly PolicyDocument[] {
  return [
    ...ofType(resources, 'AWS::IAM::Role').map(trustPolicy),
    ...ofType(resources, 'AWS::KMS::Key').map(({ logicalId, attributes, properties }) =>
      resourcePolicy(attributes.Arn ?? '', properties.KeyPolicy, logicalId),
    ),
    ...ofType(resources, 'AWS::S3::BucketPolicy').map(({ logicalId, properties }) =>
      resourcePolicy(
        `arn:${stack.partition}:s3:::${properties.Bucket}`,
        properties.PolicyDocument,
        logicalId,
      ),
    ),
    ...ofType(resources, 'AWS::SecretsManager::ResourcePolicy').map(({ logicalId, properties }) =>
      resourcePolicy(properties.SecretId, properties.ResourcePolicy, logicalId),
    ),
    ...ofType(resources, 'AWS::SQS::QueuePolicy').flatMap(({ logicalId, properties }) =>
      properties.Queues.map((url) =>
        resourcePolicy(queueArn(url, stack), properties.PolicyDocument, logicalId),
      ),
    ),
    ...resources.filter(({ type }) => type === 'AWS::Lambda::Permission').map((it) => permission(it, stack)),
  ];
}

function resourcePolicy(arn: string, document: unknown, where: string): PolicyDocument {
  return { kind: 'resource', owners: [arn], document, where };
}

function trustPolicy({
  logicalId,
  attributes,
  properties,
}: ReturnType<typeof ofType<'AWS::IAM::Role'>>[number]): PolicyDocument {
  const { AssumeRolePolicyDocument: document } = properties;
  return { kind: 'trust', owners: [attributes.Arn ?? ''], document, where: logicalId };
}

/** The statement that Lambda adds to the policy of a function (Lambda API reference, AddPermission). */
function permission({ logicalId, properties }: Resource, stack: StackIdentity): PolicyDocument {
  const { Action, FunctionName, Principal, SourceAccount, SourceArn } = parse(permissionSchema, properties);
  if (!Principal.endsWith('.amazonaws.com')) {
    throw new Error(`${logicalId}: only services of AWS may be permitted to invoke, not ${Principal}`);
  }
  const arn = regionalArn(stack, 'lambda', `function:${FunctionName.replace(/^.*:function:/, '')}`);
  const statement = {
    Effect: 'Allow',
    Action,
    Resource: arn,
    Principal: { Service: Principal },
    Condition: {
      ...(SourceArn === undefined ? {} : { ArnLike: { 'aws:SourceArn': SourceArn } }),
      ...(SourceAccount === undefined ? {} : { StringEquals: { 'aws:SourceAccount': SourceAccount } }),
    },
  };
  return resourcePolicy(arn, { Version: '2012-10-17', Statement: [statement] }, logicalId);
}

function queueArn(url: string, stack: StackIdentity): string {
  return regionalArn(stack, 'sqs', url.slice(url.lastIndexOf('/') + 1));
}
