import { describe, expect, it } from 'vitest';
import type { Call } from '../../iam/authorize.ts';
import { holds } from '../../iam/condition.ts';
import { parsePolicy } from '../../iam/policy.ts';
import type { Principal } from '../../iam/principal.ts';
import { createAccess } from '../../policies.ts';
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

function isAllowed(resources: readonly Resource[], call: Call): boolean {
  return createAccess(resources, stack, () => undefined).authorize(call).allowed;
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

describe('identity policies', () => {
  it.for([
    [],
    functionRole('Role', allow('s3:GetObject', '*')),
    functionRole('Other', allow('s3:PutObject', '*')),
  ])('allow nothing that they do not name (%#)', (resources) => {
    expect(isAllowed(resources, put)).toBe(false);
  });

  it.for([
    ['s3:PutObject', `${bucketArn}/uploads/1`, true],
    ['s3:PutObject', `${bucketArn}/uploads/*`, true],
    ['s3:PutObject', `${bucketArn}/uploads/?`, true],
    ['s3:Put*', '*', true],
    ['S3:putobject', '*', true],
    ['*', '*', true],
    ['s3:PutObject', `${bucketArn}/Uploads/*`, false],
    ['s3:PutObject', bucketArn, false],
    ['s3:PutObjectTagging', '*', false],
  ] as const)('allow %s on %s: %s', ([action, on, expected]) => {
    expect(isAllowed(functionRole('Role', allow(action, on)), put)).toBe(expected);
  });

  it('lose to an explicit deny, wherever it stands', () => {
    const role = functionRole('Role', allow('s3:*', '*'), deny('s3:PutObject', `${bucketArn}/uploads/1`));
    expect(isAllowed(role, put)).toBe(false);
    const denyAll = bucketPolicy(deny('s3:*', `${bucketArn}/*`, { Principal: '*' }));
    expect(isAllowed([...functionRole('Role', allow('s3:*', '*')), denyAll], put)).toBe(false);
  });
});

describe('session policies', () => {
  const role = functionRole('Role', allow('s3:PutObject', `${bucketArn}/uploads/*`));

  it('only narrow what the role may do', () => {
    const as = (sessionPolicy: unknown): Call => ({ ...put, principal: session('Role', sessionPolicy) });
    expect(isAllowed(role, as(policy(allow('s3:PutObject', `${bucketArn}/uploads/1`))))).toBe(true);
    expect(isAllowed(role, as(policy(allow('s3:PutObject', `${bucketArn}/uploads/2`))))).toBe(false);
    expect(isAllowed(role, as(policy(allow('*', '*'), deny('s3:PutObject', '*'))))).toBe(false);
    const elsewhere = { ...as(policy(allow('*', '*'))), resource: `${bucketArn}/other/1` };
    expect(isAllowed(role, elsewhere)).toBe(false);
  });
});

describe('resource policies', () => {
  it('grant by themselves to whom they name', () => {
    const grant = bucketPolicy(
      allow('s3:PutObject', `${bucketArn}/*`, { Principal: { AWS: roleArnOf('Role') } }),
    );
    expect(isAllowed([grant], put)).toBe(true);
    expect(isAllowed([grant], { ...put, principal: session('Other') })).toBe(false);
  });

  it('only delegate when they name the account', () => {
    const grant = bucketPolicy(allow('s3:PutObject', `${bucketArn}/*`, { Principal: account }));
    expect(isAllowed([grant], put)).toBe(false);
  });

  it('bind the operator by their denials', () => {
    const operator: Call = { ...put, principal: { kind: 'operator' } };
    const old = { NumericGreaterThan: { 's3:signatureAge': 3600000 } };
    const denyOld = bucketPolicy(
      deny('s3:PutObject', `${bucketArn}/*`, { Principal: { AWS: '*' }, Condition: old }),
    );
    const aged = (age: string) => isAllowed([denyOld], { ...operator, context: { 's3:signatureAge': age } });
    expect(aged('3600000')).toBe(true);
    expect(aged('3600001')).toBe(false);
  });

  it('let requests through that a policy wants to have come by TLS', () => {
    const Condition = { Bool: { 'aws:SecureTransport': 'false' } };
    const tlsOnly = bucketPolicy(deny('s3:*', `${bucketArn}/*`, { Principal: '*', Condition }));
    expect(isAllowed([...functionRole('Role', allow('s3:PutObject', '*')), tlsOnly], put)).toBe(true);
  });

  it.for([
    ['events.amazonaws.com', 'mine', true],
    ['events.amazonaws.com', 'other', false],
    ['s3.amazonaws.com', 'mine', false],
  ] as const)('let %s act for the rule %s: %s', ([service, name, expected]) => {
    const arnOf = (rule: string) => `arn:aws:events:us-east-1:000000000000:rule/${rule}`;
    const send: Call = {
      principal: { kind: 'service', service, sourceArn: arnOf(name) },
      action: 'sqs:SendMessage',
      resource: 'arn:aws:sqs:us-east-1:000000000000:test-Queue',
    };
    expect(isAllowed([queueFor('Queue', arnOf('mine'))], send)).toBe(expected);
    expect(isAllowed([], send)).toBe(false);
  });
});

describe('a role of another account', () => {
  const roleArn = 'arn:aws:iam::111122223333:role/team/Reader';
  const isLetIn = (Principal: unknown, role: string, sessionPolicy?: string) => {
    const Condition = { ArnEquals: { 'aws:PrincipalArn': role } };
    const grant = bucketPolicy(allow('s3:PutObject', `${bucketArn}/*`, { Principal, Condition }));
    return isAllowed([grant], {
      ...put,
      principal: { kind: 'session', roleArn, sessionName: 'it', sessionPolicy },
    });
  };
  const itsAccount = { AWS: 'arn:aws:iam::111122223333:root' };
  const everything = JSON.stringify(policy(allow('*', '*')));

  it('needs a policy of the resource that names its account, and the role', () => {
    expect(isLetIn(itsAccount, roleArn, everything)).toBe(true);
    expect(isLetIn(account, roleArn, everything)).toBe(false);
    expect(isLetIn(itsAccount, `${roleArn}s`, everything)).toBe(false);
  });

  it('needs a session policy in place of the policies of its account', () => {
    expect(isLetIn({ AWS: roleArn }, roleArn)).toBe(false);
  });
});

describe('role trust and key policies', () => {
  const assume: Call = {
    principal: session('Sync'),
    action: 'sts:AssumeRole',
    resource: roleArnOf('Signer'),
  };
  const signer = (principal: unknown) =>
    resource('Signer', 'AWS::IAM::Role', {
      AssumeRolePolicyDocument: policy({ Effect: 'Allow', Action: 'sts:AssumeRole', Principal: principal }),
    });
  const mayAssume = functionRole('Sync', allow('sts:AssumeRole', roleArnOf('Signer')));

  it('must agree, whatever the identity policy says', () => {
    expect(isAllowed([...mayAssume, signer({ Service: 'lambda.amazonaws.com' })], assume)).toBe(false);
    expect(isAllowed([...mayAssume, signer({ AWS: roleArnOf('Other') })], assume)).toBe(false);
    expect(isAllowed([...mayAssume, signer({ AWS: roleArnOf('Sync') })], assume)).toBe(true);
    expect(isAllowed(mayAssume, assume)).toBe(false);
  });

  it('leave it to the identity policy when they name the account', () => {
    expect(isAllowed([...mayAssume, signer(account)], assume)).toBe(true);
    expect(isAllowed([...functionRole('Sync', allow('s3:*', '*')), signer(account)], assume)).toBe(false);
  });

  it('keep the operator out of a key that names others only', () => {
    const key = resource('Key', 'AWS::KMS::Key', {
      KeyPolicy: policy(allow('kms:Decrypt', '*', { Principal: { AWS: roleArnOf('Token') } })),
    });
    const decrypt = (principal: Principal): Call => ({
      principal,
      action: 'kms:Decrypt',
      resource: key.attributes.Arn ?? '',
    });
    expect(isAllowed([key], decrypt({ kind: 'operator' }))).toBe(false);
    expect(isAllowed([key], decrypt(session('Token')))).toBe(true);
    expect(isAllowed([key], decrypt(session('Other')))).toBe(false);
  });
});

describe('what cannot be judged', () => {
  const when = (operator: string, key: string) => ({ Condition: { [operator]: { [key]: 'x' } } });

  it.each([
    [
      'an unknown operator',
      when('IpAddress', 'aws:SourceArn'),
      'RolePolicy: Statement.0.Condition.IpAddress: unknown condition operator',
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
  ])('stops the start: a policy of an identity with %s', (_, more, message) => {
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
  const test = (operator: string, values: string[], context: Record<string, string>) =>
    holds({ operator, key: 'aws:SourceArn', values }, context);
  const at = (value: string) => ({ 'AWS:sourcearn': value });

  it.each([
    ['StringEquals', ['a', 'b'], 'b', true],
    ['StringEquals', ['a'], 'A', false],
    ['StringLike', ['a*c'], 'abbc', true],
    ['StringLike', ['a?c'], 'abbc', false],
    ['ArnLike', ['arn:aws:s3:::*'], 'arn:aws:s3:::x', true],
    ['ArnLike', ['arn:aws:*:x'], 'arn:aws:s3:::x', false],
    ['Bool', ['TRUE'], 'true', true],
    ['NumericGreaterThan', ['10'], '9', false],
    ['NumericGreaterThan', ['9'], '10', true],
  ])('%s %j of %s: %s', (operator, values, actual, expected) => {
    expect(test(operator, values, at(actual))).toBe(expected);
  });

  it('do not hold for a key that is absent', () => {
    expect(test('StringEquals', ['a'], {})).toBe(false);
  });
});
