import type { Call } from '../../iam/authorize.ts';
import { matchesCondition } from '../../iam/condition.ts';
import { parsePolicy } from '../../iam/policy.ts';
import type { Principal } from '../../iam/principal.ts';
import { createAccess } from '../../services.ts';
import type { Resource } from '../../shared/resource-type.ts';
import { functionRole, policy, queueFor, resource, roleArnOf, stack } from '../support/aws-services.ts';

const bucketArn = 'arn:aws:s3:::test-bucket';
const account = { AWS: 'arn:aws:iam::000000000000:root' };

function session(role: string, sessionPolicy?: unknown): Principal {
  return {
    kind: 'session',
    roleArn: roleArnOf(role),
    sessionName: 'it',
    ...(sessionPolicy === undefined ? {} : { sessionPolicy: JSON.stringify(sessionPolicy) }),
  };
}

function allow(action: string, on: string, more: Record<string, unknown> = {}) {
  return { Effect: 'Allow', Action: action, Resource: on, ...more };
}

const deny: typeof allow = (action, on, more) => ({ ...allow(action, on, more), Effect: 'Deny' });

function bucketPolicy(...statements: Record<string, unknown>[]): Resource {
  return resource('BucketPolicy', 'AWS::S3::BucketPolicy', {
    Bucket: 'test-bucket',
    PolicyDocument: policy(...statements),
  });
}

const put: Call = { principal: session('Role'), action: 's3:PutObject', resource: `${bucketArn}/uploads/1` };

/** Returns `allowed`, or the policies that reject a call. */
function decide(resources: readonly Resource[], call: Call = put): string {
  const decision = createAccess(resources, stack, () => undefined).authorize(call);
  return decision.allowed ? 'allowed' : `${decision.reason} by ${decision.by}`;
}

const ofRole = (...statements: Record<string, unknown>[]) => functionRole('Role', ...statements);

test.for<[string, Resource[], string]>([
  ['no policy', [], 'not-allowed by the role'],
  ['another role', functionRole('Other', allow('s3:PutObject', '*')), 'not-allowed by the role'],
  ['a denial', ofRole(allow('s3:*', '*'), deny('s3:PutObject', '*')), 'explicit-deny by the role'],
])('a role may not put an object with %s', ([, resources, expected]) => {
  expect(decide(resources)).toBe(expected);
});

test.for([
  ['s3:PutObject', `${bucketArn}/uploads/1`, 'allowed'],
  ['s3:PutObject', `${bucketArn}/uploads/*`, 'allowed'],
  ['s3:PutObject', `${bucketArn}/uploads/?`, 'allowed'],
  ['s3:Put*', '*', 'allowed'],
  ['S3:putobject', '*', 'allowed'],
  ['s3:PutObject', `${bucketArn}/Uploads/*`, 'not-allowed by the role'],
  ['s3:PutObjectTagging', '*', 'not-allowed by the role'],
] as const)('a policy that allows %s on %s: %s', ([action, on, expected]) => {
  expect(decide(ofRole(allow(action, on)))).toBe(expected);
});

const others = `${bucketArn}/other/1`;

test.for<[string, unknown, string, Partial<Call>?]>([
  ['allows the call', policy(allow('s3:PutObject', `${bucketArn}/uploads/1`)), 'allowed'],
  ['allows another', policy(allow('s3:PutObject', others)), 'not-allowed by the session policy'],
  ['denies it', policy(allow('*', '*'), deny('s3:PutObject', '*')), 'explicit-deny by the session policy'],
  ['allows what the role may not', policy(allow('*', '*')), 'not-allowed by the role', { resource: others }],
])('a session policy that %s', ([, sessionPolicy, expected, more]) => {
  const role = ofRole(allow('s3:PutObject', `${bucketArn}/uploads/*`));
  expect(decide(role, { ...put, principal: session('Role', sessionPolicy), ...more })).toBe(expected);
});

const grant = (Principal: unknown) => [bucketPolicy(allow('s3:PutObject', '*', { Principal }))];
const denyOld = bucketPolicy(
  deny('s3:PutObject', '*', {
    Principal: { AWS: '*' },
    Condition: { NumericGreaterThan: { 's3:signatureAge': 3600000 } },
  }),
);
const needsTls = bucketPolicy(
  allow('s3:*', '*', { Principal: '*', Condition: { Bool: { 'aws:SecureTransport': 'true' } } }),
);
const deniesRoles = bucketPolicy(
  deny('s3:*', '*', { Principal: '*', Condition: { Bool: { 'aws:PrincipalIsAWSService': 'false' } } }),
);
const ofOperator = (age: string): Call => ({
  ...put,
  principal: { kind: 'operator' },
  context: { 's3:signatureAge': age },
});

test.for<[string, Resource[], string, Call?]>([
  ['grants access to the named role', grant({ AWS: roleArnOf('Role') }), 'allowed'],
  ['grants access to no other role', grant({ AWS: roleArnOf('Other') }), 'not-allowed by the role'],
  ['only delegates if it names the account', grant(account), 'not-allowed by the role'],
  ['allows a recent signature of the operator', [denyOld], 'allowed', ofOperator('3600000')],
  [
    'denies an older signature of the operator',
    [denyOld],
    'explicit-deny by the resource policy',
    ofOperator('3600001'),
  ],
  ['allows calls over TLS', [needsTls], 'allowed'],
  ['denies a role, which is no service of AWS', [deniesRoles], 'explicit-deny by the resource policy'],
])('the policy of a bucket %s', ([, resources, expected, call]) => {
  expect(decide(resources, call)).toBe(expected);
});

test.for([
  ['events.amazonaws.com', 'mine', 'allowed'],
  ['events.amazonaws.com', 'other', 'not-allowed by the resource policy'],
  ['s3.amazonaws.com', 'mine', 'not-allowed by the resource policy'],
] as const)('the policy of a queue lets %s act for the rule %s: %s', ([service, name, expected]) => {
  const arnOf = (rule: string) => `arn:aws:events:us-east-1:000000000000:rule/${rule}`;
  const send: Call = {
    principal: { kind: 'service', service, sourceArn: arnOf(name) },
    action: 'sqs:SendMessage',
    resource: 'arn:aws:sqs:us-east-1:000000000000:test-Queue',
  };
  expect(decide([queueFor('Queue', arnOf('mine'))], send)).toBe(expected);
});

const visitor = 'arn:aws:iam::111122223333:role/team/Reader';
const itsAccount = { AWS: 'arn:aws:iam::111122223333:root' };
const everything = JSON.stringify(policy(allow('*', '*')));

test.for<[string, unknown, string, string | undefined, string]>([
  ['that names its account', itsAccount, visitor, everything, 'allowed'],
  ["that names the stack's account", account, visitor, everything, 'not-allowed by the resource policy'],
  ['for another role', itsAccount, `${visitor}s`, everything, 'not-allowed by the resource policy'],
  ['without a session policy', { AWS: visitor }, visitor, undefined, 'not-allowed by the role'],
])('a role of another account with a policy %s', ([, Principal, arn, sessionPolicy, expected]) => {
  const Condition = { ArnEquals: { 'aws:PrincipalArn': arn } };
  const principal = { kind: 'session', roleArn: visitor, sessionName: 'it', sessionPolicy } as const;
  const bucket = bucketPolicy(allow('s3:PutObject', '*', { Principal, Condition }));
  expect(decide([bucket], { ...put, principal })).toBe(expected);
});

const mayAssume = ofRole(allow('sts:AssumeRole', roleArnOf('Signer')));

test.for<[string, Resource[], unknown, string]>([
  ['another role', mayAssume, { AWS: roleArnOf('Other') }, 'not-allowed by the resource policy'],
  ['a service', mayAssume, { Service: 'lambda.amazonaws.com' }, 'not-allowed by the resource policy'],
  ['the role', [], { AWS: roleArnOf('Role') }, 'allowed'],
  ['the account, and the role may', mayAssume, account, 'allowed'],
  ['the account, and the role may not', ofRole(allow('s3:*', '*')), account, 'not-allowed by the role'],
])('the trust of a role in %s', ([, resources, Principal, expected]) => {
  const trust = policy({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal });
  const signer = resource('Signer', 'AWS::IAM::Role', { AssumeRolePolicyDocument: trust });
  const assume = { principal: session('Role'), action: 'sts:AssumeRole', resource: roleArnOf('Signer') };
  expect(decide([...resources, signer], assume)).toBe(expected);
});

test.for<[string, Principal, string]>([
  ['rejects the operator', { kind: 'operator' }, 'not-allowed by the resource policy'],
  ['accepts the named role', session('Role'), 'allowed'],
])('the policy of a key %s', ([, principal, expected]) => {
  const KeyPolicy = policy(allow('kms:Decrypt', '*', { Principal: { AWS: roleArnOf('Role') } }));
  const key = resource('Key', 'AWS::KMS::Key', { KeyPolicy });
  expect(decide([key], { principal, action: 'kms:Decrypt', resource: String(key.attributes.Arn) })).toBe(
    expected,
  );
});

describe('a policy that cannot be evaluated', () => {
  const when = (operator: string, key: string) => ({ Condition: { [operator]: { [key]: 'x' } } });

  it.each([
    [
      'an unknown operator',
      when('NotIpAddress', 'aws:SourceArn'),
      'RolePolicy: Statement.0.Condition.NotIpAddress: unknown condition operator',
    ],
    [
      'an unknown key',
      when('StringEquals', 'aws:RequestedRegion'),
      'RolePolicy: Statement.0.Condition.StringEquals.aws:RequestedRegion: unknown condition key',
    ],
    [
      'an unknown element',
      { NotPrincipal: { AWS: '*' } },
      'RolePolicy: Statement.0.NotPrincipal: Invalid key',
    ],
    [
      'a variable',
      { Resource: `${bucketArn}/\${aws:username}` },
      'RolePolicy: Statement.0.Resource.0: policy variables are not supported',
    ],
    [
      'a statement without a resource',
      { Resource: undefined },
      'RolePolicy: a statement must have a Resource, except in the trust policy of a role, where it must not',
    ],
    [
      'a principal',
      { Principal: account },
      'RolePolicy: a statement must have a Principal in the policy of a resource, and must not in the policy of a role or session',
    ],
    ['no action', { Action: [] }, 'RolePolicy: Statement.0.Action: is empty'],
  ])('of an identity stops the start: with %s', (_, more, message) => {
    const role = () => createAccess(functionRole('Role', allow('s3:*', '*', more)), stack, () => undefined);
    expect(role).toThrow(message);
  });

  it('stops the start: an old version, or an unknown managed policy', () => {
    const old = { Version: '2008-10-17', Statement: [] };
    expect(() => parsePolicy(old, 'identity', 'It')).toThrow('It: Version: Invalid type');
    const role = resource('Role', 'AWS::IAM::Role', {
      AssumeRolePolicyDocument: policy(),
      ManagedPolicyArns: ['arn:aws:iam::aws:policy/AdministratorAccess'],
    });
    expect(() => createAccess([role], stack, () => undefined)).toThrow(
      'Role: unknown managed policy arn:aws:iam::aws:policy/AdministratorAccess',
    );
  });
});

describe('conditions', () => {
  it.each([
    ['StringEquals', ['a', 'b'], 'b', true],
    ['StringEquals', ['a'], 'A', false],
    ['ArnLike', ['arn:aws:s3:::*'], 'arn:aws:s3:::x', true],
    ['ArnLike', ['arn:aws:*:x'], 'arn:aws:s3:::x', false],
    ['ForAnyValue:StringEquals', ['a'], 'a', true],
    ['ForAnyValue:StringEquals', ['a'], 'b', false],
    ['Bool', ['TRUE'], 'true', true],
    ['NumericGreaterThan', ['9'], '10', true],
    ['IpAddress', ['2001:db8::/32', '192.0.2.0/25'], '192.0.2.127', true],
    ['IpAddress', ['2001:db8::/32', '192.0.2.0/25'], '192.0.2.128', false],
    ['IpAddress', ['192.0.2.1', '2001:db8::1'], '2001:db8::1', true],
    ['IpAddress', ['2001:db8::1'], '2001:db8::2', false],
  ])('%s %j of %s: %s', (operator, values, actual, expected) => {
    const key = 'aws:SourceArn';
    expect(matchesCondition({ operator, key, values }, { 'AWS:sourcearn': actual })).toBe(expected);
    expect(matchesCondition({ operator, key, values }, {})).toBe(false);
  });

  it.each([
    [['arn:aws:iam::1:role/a', 'arn:aws:iam::1:role/b'], 'arn:aws:iam::1:role/b', false],
    [['arn:aws:iam::1:role/a'], undefined, true],
  ])('ArnNotEquals %j of %s: %s', (values, actual, expected) => {
    const context = actual === undefined ? {} : { 'aws:PrincipalArn': actual };
    expect(matchesCondition({ operator: 'ArnNotEquals', key: 'aws:PrincipalArn', values }, context)).toBe(
      expected,
    );
  });

  it.each([
    ['true', 'x', false],
    ['false', 'x', true],
    ['true', undefined, true],
  ])('Null %s of %s: %s', (value, actual, expected) => {
    const context = actual === undefined ? {} : { 'secretsmanager:KmsKeyArn': actual };
    const test = { operator: 'Null', key: 'secretsmanager:KmsKeyArn', values: [value] };
    expect(matchesCondition(test, context)).toBe(expected);
  });
});
