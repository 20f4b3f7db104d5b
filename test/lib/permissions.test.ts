import { listed, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';
import { permissionsDocument } from './permissions-document.ts';
import { permissionsByRole, policyTypes, statementsOf } from './policies.ts';

const { document } = synthesized();

const uploadsOnly = '<UploadsBucket.Arn>/uploads/*';

describe('permissions of the roles', () => {
  const permissions = permissionsByRole(document);

  it('are those of docs/generated/permissions.md (npm run generate)', async () => {
    await expect(permissionsDocument(document)).toMatchFileSnapshot('../../docs/generated/permissions.md');
    const roles = resourcesOf(document, 'AWS::IAM::Role');
    expect(roles.map(([id]) => readable({ Ref: id })).sort()).toEqual(Object.keys(permissions).sort());
    // The page would not list a policy in these properties.
    const others = roles.filter(
      ([, { Properties = {} }]) => Properties.ManagedPolicyArns ?? Properties.Policies,
    );
    expect(others).toEqual([]);
  });

  it.each([
    ['a name, as with -c', 'ours'],
    ['JSON, as in cdk.json', { name: 'ours' }],
  ])('have the permissions boundary of the context, given as %s', (_, boundary) => {
    const bound = synthesized({ stage: 'dev', '@aws-cdk/core:permissionsBoundary': boundary }).document;
    const arns = resourcesOf(bound, 'AWS::IAM::Role').map(([, role]) => role.Properties?.PermissionsBoundary);
    expect(new Set(arns.map(readable))).toEqual(
      new Set(['arn:<AWS::Partition>:iam::<AWS::AccountId>:policy/ours']),
    );
  });

  it.for(Object.entries(permissions))(
    'on logs are for writing to their own log group alone: %s',
    ([role, lines]) => {
      const group = `<${role.slice(1, -'Role>'.length)}Logs.Arn>`;
      const expected = role === '<SyncSignerRole>' ? [] : ['logs:CreateLogStream', 'logs:PutLogEvents'];
      expect(lines.filter((line) => line.startsWith('logs:'))).toEqual(
        expected.map((action) => `${action} on ${group}`),
      );
    },
  );
});

it('trust is granted to Lambda only, for the signer to sync only', () => {
  const trusts = statementsOf(document, 'AWS::IAM::Role').map(([id, { Action, Principal }]) => {
    const [who] = Object.values(Principal ?? {}).map(readable);
    return `${readable({ Ref: id })} ${String(Action)} ${who}`;
  });
  const roles = Object.keys(permissionsByRole(document));
  expect(trusts.sort()).toEqual(
    roles
      .map((role) => {
        const who = role === '<SyncSignerRole>' ? '<SyncRole.Arn>' : 'lambda.amazonaws.com';
        return `${role} sts:AssumeRole ${who}`;
      })
      .sort(),
  );
});

it('the policy of the private keys denies, and denies nobody to change it or to delete the secret', () => {
  const [policy] = propertiesOf<{ ResourcePolicy: { Statement: readonly unknown[] } }>(
    document,
    'AWS::SecretsManager::ResourcePolicy',
  );
  const statements = policy?.ResourcePolicy.Statement ?? [];
  const key = { 'secretsmanager:KmsKeyArn': expect.objectContaining({ 'Fn::GetAtt': expect.anything() }) };
  expect(statements).toEqual([
    {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Resource: '*',
      Action: ['secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'],
      Condition: {
        ArnNotEquals: {
          'aws:PrincipalArn': { 'Fn::GetAtt': [expect.stringMatching(/^RotationRotateRole/), 'Arn'] },
        },
        Bool: { 'aws:PrincipalIsAWSService': 'false' },
      },
    },
    {
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Resource: '*',
      Action: 'secretsmanager:UpdateSecret',
      Condition: { Null: { 'secretsmanager:KmsKeyArn': 'false' }, ArnNotEquals: key },
    },
  ]);
});

describe('the key of the private signing keys', () => {
  const statements = statementsOf(document, 'AWS::KMS::Key').map(([, statement]) => ({
    who: readable((statement.Principal as { AWS: unknown }).AWS),
    actions: listed(statement.Action),
    condition: statement.Condition as { StringEquals: Record<string, unknown> } | undefined,
  }));
  const root = 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root';
  const viaSecretsManager = ['amazonaws.com', '<AWS::URLSuffix>'].map(
    (suffix) => `secretsmanager.<AWS::Region>.${suffix}`,
  );
  const servicesOf = (condition: (typeof statements)[number]['condition']) =>
    listed(condition?.StringEquals['kms:ViaService']).map(readable);

  it('is used by token and signing-keys through Secrets Manager only', () => {
    const uses = statements.filter(({ who }) => who !== root);
    expect(uses.map(({ who, actions }) => [who, actions])).toEqual([
      ['<TokenRole.Arn>', ['kms:Decrypt']],
      ['<RotationRotateRole.Arn>', ['kms:Decrypt', 'kms:GenerateDataKey']],
    ]);
    const services = uses.map(({ condition }) => servicesOf(condition));
    expect(services).toEqual([viaSecretsManager, viaSecretsManager]);
  });

  it('is managed by administrators, who cannot read with it', () => {
    const [administration, attachment, ...others] = statements.filter(({ who }) => who === root);
    expect(others).toEqual([]);
    expect(administration?.actions).toContain('kms:PutKeyPolicy');
    expect(administration?.actions.join()).not.toMatch(/Decrypt|Encrypt|GenerateDataKey|CreateGrant|\*/);
    expect(attachment?.actions).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
    expect(attachment?.condition?.StringEquals).toMatchObject({
      'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess',
    });
    expect(servicesOf(attachment?.condition)).toEqual(viaSecretsManager);
  });
});

// `security-rules.test.ts` covers the wildcards of the roles.
it('no policy allows anything to everybody', () => {
  const statements = policyTypes.flatMap((type) => statementsOf(document, type));
  expect(statements.length).toBeGreaterThan(20);
  const open = statements.filter(
    ([, { Effect, Principal }]) => Effect === 'Allow' && JSON.stringify(Principal ?? '').includes('"*"'),
  );
  expect(open).toEqual([]);
});

const dev = synthesized({ stage: 'dev' }).document;

it("a dev stack lets only the CDK's function that empties the bucket do more", () => {
  const roles = (of: typeof dev) => resourcesOf(of, 'AWS::IAM::Role').map(([id]) => readable({ Ref: id }));
  const emptying = '<CustomS3AutoDeleteObjectsCustomResourceProviderRole>';
  expect(roles(dev).filter((role) => !roles(document).includes(role))).toEqual([emptying]);
  const wildcards = policyTypes
    .flatMap((type) => statementsOf(dev, type))
    .filter(([, { Effect, Action }]) => Effect === 'Allow' && String(Action).includes('*'))
    .map(([, { Action, Principal, Resource }]) => [
      listed(Action),
      Object.values(Principal ?? {}).map(readable),
      listed(Resource).map(readable),
    ]);
  expect(wildcards).toEqual([
    [
      ['s3:PutBucketPolicy', 's3:GetBucket*', 's3:List*', 's3:DeleteObject*'],
      [emptying.replace('>', '.Arn>')],
      ['<UploadsBucket.Arn>', '<UploadsBucket.Arn>/*'],
    ],
  ]);
});

describe('the bucket policy', () => {
  const statements = statementsOf(document, 'AWS::S3::BucketPolicy').map(([, statement]) => statement);

  it('denies a signature older than one hour (docs/api.md 12.2)', () => {
    const [old] = statements.filter(({ Action }) => Action === 's3:PutObject');
    expect(old).toMatchObject({
      Effect: 'Deny',
      Principal: { AWS: '*' },
      Condition: { NumericGreaterThan: { 's3:signatureAge': 3_600_000 } },
    });
    expect(readable(old?.Resource)).toBe('<UploadsBucket.Arn>/*');
  });

  it('lets content readers read uploads and nothing else', () => {
    const contentReaders = ['arn:aws:iam::111122223333:role/a', 'arn:aws:iam::111122223333:role/b'];
    const [reading, ...others] = statementsOf(
      synthesized({ contentReaders }).document,
      'AWS::S3::BucketPolicy',
    ).flatMap(([, statement]) => (statement.Effect === 'Allow' ? [statement] : []));
    expect({ ...reading, Resource: readable(reading?.Resource) }).toEqual({
      Effect: 'Allow',
      Principal: { AWS: 'arn:aws:iam::111122223333:root' },
      Action: ['s3:GetObject', 's3:GetObjectVersion'],
      Resource: uploadsOnly,
      Condition: { ArnEquals: { 'aws:PrincipalArn': contentReaders } },
    });
    expect(others).toEqual([]);
  });

  it('denies requests without TLS, and allows nothing by default', () => {
    expect(statements.map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny']);
    expect(JSON.stringify(statements)).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
  });
});

it('the bus denies everybody but the functions that announce uploads', () => {
  const [[, policy] = [], ...others] = resourcesOf(document, 'AWS::Events::EventBusPolicy');
  const { EventBusName, Statement } = Object(policy?.Properties);
  const { Resource, Condition, ...statement } = Statement;
  const bus = resourcesOf(document, 'AWS::Events::EventBus').map(([id]) => readable({ Ref: id }));
  expect([[readable(EventBusName)], others]).toEqual([bus, []]);
  expect(statement).toMatchObject({ Effect: 'Deny', Principal: '*', Action: 'events:PutEvents' });
  expect(readable(Resource)).toBe('<UploadEventsBus.Arn>');
  const roles = listed(Condition.ArnNotEquals['aws:PrincipalArn']).map(readable);
  const announcing = Object.entries(permissionsByRole(document)).filter(([, lines]) =>
    lines.some((line) => line.startsWith('events:PutEvents')),
  );
  expect(roles.sort()).toEqual(announcing.map(([role]) => role.replace('>', '.Arn>')).sort());
  expect(roles).toHaveLength(2);
});
