import { ofType, type Resource } from '../shared/resource-type.ts';
import type { PolicyDocument } from './policy-store.ts';
import { policyType, roleType } from './resource-types.ts';

/** Supported managed policies, as AWS publishes them ("AWS managed policy reference"). */
const managedPolicies: Readonly<Record<string, unknown>> = {
  'service-role/AWSLambdaBasicExecutionRole': {
    Version: '2012-10-17',
    Statement: [
      {
        Effect: 'Allow',
        Action: ['logs:CreateLogGroup', 'logs:CreateLogStream', 'logs:PutLogEvents'],
        Resource: '*',
      },
    ],
  },
};

/**
 * Returns the permissions policies and trust policies of the template's roles.
 *
 * @throws {Error} naming the role, for an unsupported managed policy
 */
export function rolePolicies(resources: readonly Resource[]): readonly PolicyDocument[] {
  const roles = ofType(resources, roleType);
  const arnsOf = (names: readonly string[]) =>
    roles.filter(({ ref }) => names.includes(ref)).map(({ attributes }) => attributes.Arn ?? '');
  return [
    ...roles.flatMap(({ logicalId, attributes, properties }) => {
      const owners = [attributes.Arn ?? ''];
      const { AssumeRolePolicyDocument, Policies = [], ManagedPolicyArns = [] } = properties;
      const trust = { kind: 'trust', owners, document: AssumeRolePolicyDocument, where: logicalId } as const;
      return [
        trust,
        ...Policies.map(({ PolicyName, PolicyDocument }) =>
          identityPolicy(owners, PolicyDocument, `${logicalId} (${PolicyName})`),
        ),
        ...ManagedPolicyArns.map((arn) => managedPolicy(owners, arn, logicalId)),
      ];
    }),
    ...ofType(resources, policyType).map(({ logicalId, properties }) =>
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
  if (document === undefined) {
    throw new Error(`${logicalId}: unknown managed policy ${arn}`);
  }
  return identityPolicy(owners, document, `${logicalId}: ${name}`);
}
