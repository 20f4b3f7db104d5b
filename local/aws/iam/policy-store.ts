import { parse } from 'valibot';
import type { Resource, StackIdentity } from '../../template/resource-type.ts';
import { permissionSchema } from '../../template/types/functions.ts';
import { arn as regionalArn } from '../arn.ts';
import { ofType } from '../resources.ts';
import { managedPolicies } from './managed-policies.ts';
import { parsePolicy, type Statement } from './policy.ts';

/** The policies of the template, by what they belong to. */
export interface PolicyStore {
  /** Everything that a role's own policies say; empty for a role that the template does not have. */
  readonly ofRole: (roleArn: string) => readonly Statement[];
  /** The policy of the resource that an ARN names or lies in; undefined when it has none. */
  readonly ofResource: (arn: string) => readonly Statement[] | undefined;
}

/** @throws {Error} naming the resource, for a policy that cannot be judged */
export function collectPolicies(resources: readonly Resource[], stack: StackIdentity): PolicyStore {
  const roles = collectRolePolicies(resources);
  const policies = collectResourcePolicies(resources, stack);
  return {
    ofRole: (arn) => roles.get(arn) ?? [],
    ofResource: (arn) =>
      policies.get(arn) ?? (arn.includes(':s3:::') ? policies.get(arn.replace(/\/.*$/s, '')) : undefined),
  };
}

function collectRolePolicies(resources: readonly Resource[]): Map<string, Statement[]> {
  const roles = ofType(resources, 'AWS::IAM::Role');
  const attached = ofType(resources, 'AWS::IAM::Policy');
  return new Map(
    roles.map(({ logicalId, ref, attributes, properties }) => [
      attributes.Arn ?? '',
      [
        ...(properties.Policies ?? []).flatMap((it) => parsePolicy(it.PolicyDocument, logicalId)),
        ...(properties.ManagedPolicyArns ?? []).flatMap((it) => managedPolicy(it, logicalId)),
        ...attached
          .filter((policy) => policy.properties.Roles.includes(ref))
          .flatMap((policy) => parsePolicy(policy.properties.PolicyDocument, policy.logicalId)),
      ],
    ]),
  );
}

function managedPolicy(arn: string, logicalId: string): Statement[] {
  const name = arn.replace(/^.*:policy\//, '');
  const document = managedPolicies[name];
  if (document === undefined) throw new Error(`${logicalId}: unknown managed policy ${arn}`);
  return parsePolicy(document, `${logicalId}: ${name}`);
}

function collectResourcePolicies(
  resources: readonly Resource[],
  stack: StackIdentity,
): Map<string, Statement[]> {
  const entries: [arn: string, document: unknown, where: string][] = [
    ...ofType(resources, 'AWS::IAM::Role').map(trustPolicy),
    ...ofType(resources, 'AWS::KMS::Key').map(keyPolicy),
    ...ofType(resources, 'AWS::S3::BucketPolicy').map(({ logicalId, properties }) =>
      entry(`arn:${stack.partition}:s3:::${properties.Bucket}`, properties.PolicyDocument, logicalId),
    ),
    ...ofType(resources, 'AWS::SecretsManager::ResourcePolicy').map(({ logicalId, properties }) =>
      entry(properties.SecretId, properties.ResourcePolicy, logicalId),
    ),
    ...ofType(resources, 'AWS::SQS::QueuePolicy').flatMap(({ logicalId, properties }) =>
      properties.Queues.map((url) => entry(queueArn(url, stack), properties.PolicyDocument, logicalId)),
    ),
    ...resources.filter(({ type }) => type === 'AWS::Lambda::Permission').map((it) => permission(it, stack)),
  ];
  const policies = new Map<string, Statement[]>();
  for (const [arn, document, where] of entries) {
    policies.set(arn, [...(policies.get(arn) ?? []), ...parsePolicy(document, where)]);
  }
  return policies;
}

function trustPolicy({
  logicalId,
  attributes,
  properties,
}: ReturnType<typeof ofType<'AWS::IAM::Role'>>[number]) {
  return entry(attributes.Arn ?? '', properties.AssumeRolePolicyDocument, logicalId);
}

function keyPolicy({
  logicalId,
  attributes,
  properties,
}: ReturnType<typeof ofType<'AWS::KMS::Key'>>[number]) {
  return entry(attributes.Arn ?? '', properties.KeyPolicy, logicalId);
}

/** The statement that Lambda adds to the policy of a function (Lambda API reference, AddPermission). */
function permission({ logicalId, properties }: Resource, stack: StackIdentity): [string, unknown, string] {
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
  return entry(arn, { Version: '2012-10-17', Statement: [statement] }, logicalId);
}

function entry(arn: string, document: unknown, where: string): [string, unknown, string] {
  return [arn, document, where];
}

function queueArn(url: string, stack: StackIdentity): string {
  return regionalArn(stack, 'sqs', url.slice(url.lastIndexOf('/') + 1));
}
