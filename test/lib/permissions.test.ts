import { describe, expect, it } from 'vitest';
import { listed, propertiesOf, readable, resourcesOf, synthesized } from '../support/synthesized.ts';
import { permissionsByRole, policyTypes, type Statement, statementsOf } from './policies.ts';

const { document } = synthesized();

function logging(name: string): readonly string[] {
  const group = `<${name}Logs.Arn>`;
  return [`logs:CreateLogStream on ${group}`, `logs:PutLogEvents on ${group}`];
}

const uploadsOnly = '<UploadsBucket.Arn>/uploads/*';

/** What each role may do, and nothing else. */
const permissions = {
  '<TokenRole>': [
    ...logging('Token'),
    'dynamodb:GetItem on <ClientsTable.Arn>',
    'secretsmanager:GetSecretValue on <SigningKeyPrivateKeys>',
  ],
  '<VolumesRole>': [...logging('Volumes'), 'secretsmanager:GetSecretValue on <SigningKeyKeySet>'],
  '<WellKnownRole>': [...logging('WellKnown'), 'secretsmanager:GetSecretValue on <SigningKeyKeySet>'],
  '<SyncRole>': [
    ...logging('Sync'),
    'dynamodb:GetItem on <FilesTable.Arn>',
    'dynamodb:PutItem on <UploadsTable.Arn>',
    'secretsmanager:GetSecretValue on <SigningKeyKeySet>',
  ],
  '<SyncSignerRole>': [`s3:PutObject on ${uploadsOnly}`],
  '<RecorderRecordRole>': [
    ...logging('RecorderRecord'),
    'dynamodb:GetItem on <FilesTable.Arn>',
    'dynamodb:GetItem on <UploadsTable.Arn>',
    'dynamodb:UpdateItem on <FilesTable.Arn>',
    'dynamodb:UpdateItem on <UploadsTable.Arn>',
    'events:PutEvents on <UploadEventsBus.Arn> if {"StringEquals":{"events:source":"file-sync-api"}}',
    `s3:GetObjectVersion on ${uploadsOnly}`,
    `s3:GetObjectVersionTagging on ${uploadsOnly}`,
    's3:ListBucketVersions on <UploadsBucket.Arn> if {"StringLike":{"s3:prefix":"uploads/*"}}',
    `s3:PutObject on ${uploadsOnly}`,
    `s3:PutObjectTagging on ${uploadsOnly}`,
    'sqs:SendMessage on <RecorderDeadLetters.Arn>',
  ],
  '<ReconcilerReconcileRole>': [
    ...logging('ReconcilerReconcile'),
    'dynamodb:GetItem on <FilesTable.Arn>',
    'dynamodb:GetItem on <UploadsTable.Arn>',
    'dynamodb:Query on <UploadsTable.Arn>/index/due',
    'dynamodb:UpdateItem on <FilesTable.Arn>',
    'dynamodb:UpdateItem on <UploadsTable.Arn>',
    'events:PutEvents on <UploadEventsBus.Arn> if {"StringEquals":{"events:source":"file-sync-api"}}',
    `s3:GetObjectVersion on ${uploadsOnly}`,
    `s3:GetObjectVersionTagging on ${uploadsOnly}`,
    's3:ListBucketVersions on <UploadsBucket.Arn> if {"StringLike":{"s3:prefix":"uploads/*"}}',
    `s3:PutObject on ${uploadsOnly}`,
    `s3:PutObjectTagging on ${uploadsOnly}`,
  ],
  '<RotationRotateRole>': [
    ...logging('RotationRotate'),
    'lambda:InvokeFunction on <RotationRotateFunction.Arn>',
    'secretsmanager:DescribeSecret on <SigningKeyPrivateKeys>',
    'secretsmanager:GetSecretValue on <SigningKeyKeySet>',
    'secretsmanager:GetSecretValue on <SigningKeyPrivateKeys>',
    'secretsmanager:PutSecretValue on <SigningKeyKeySet>',
    'secretsmanager:PutSecretValue on <SigningKeyPrivateKeys>',
    'secretsmanager:RotateSecret on <SigningKeyPrivateKeys>',
    'secretsmanager:UpdateSecretVersionStage on <SigningKeyKeySet>',
    'secretsmanager:UpdateSecretVersionStage on <SigningKeyPrivateKeys>',
  ],
  '<ProtectionProtectRole>': [
    ...logging('ProtectionProtect'),
    'cloudformation:DescribeStacks on <AWS::StackId>',
    'cloudformation:UpdateTerminationProtection on <AWS::StackId>',
    ...['<ClientsTable.Arn>', '<FilesTable.Arn>', '<UploadsTable.Arn>'].flatMap((table) => [
      `dynamodb:DescribeTable on ${table}`,
      `dynamodb:UpdateTable on ${table}`,
    ]),
  ],
};

describe('permissions of the roles', () => {
  it.each(Object.entries(permissions))('%s may do what its code does, and nothing else', (role, expected) => {
    expect(permissionsByRole(document)[role]).toEqual([...expected].sort());
  });

  it('are all in the table above: no other role, managed policy or inline policy', () => {
    expect(Object.keys(permissionsByRole(document)).sort()).toEqual(Object.keys(permissions).sort());
    const roles = propertiesOf<object>(document, 'AWS::IAM::Role');
    expect(roles).toHaveLength(Object.keys(permissions).length);
    for (const role of roles) {
      expect(role).not.toHaveProperty('ManagedPolicyArns');
      expect(role).not.toHaveProperty('Policies');
    }
  });
});

describe('trust', () => {
  it('is given to Lambda alone, and for the signer to the sync function alone', () => {
    const trusts = resourcesOf(document, 'AWS::IAM::Role').map(([id]) => {
      const statements = statementsOf(document, 'AWS::IAM::Role').filter(([role]) => role === id);
      expect(statements).toHaveLength(1);
      return [id, statements[0]?.[1].Action, statements[0]?.[1].Principal];
    });
    for (const [id, action, principal] of trusts) {
      expect(action).toBe('sts:AssumeRole');
      const expected = String(id).startsWith('SyncSignerRole')
        ? { AWS: { 'Fn::GetAtt': [expect.stringMatching(/^SyncRole/), 'Arn'] } }
        : { Service: 'lambda.amazonaws.com' };
      expect(principal).toEqual(expected);
    }
  });
});

describe('the key of the private signing keys', () => {
  const statements = statementsOf(document, 'AWS::KMS::Key').map(([, statement]) => ({
    who: readable((statement.Principal as { AWS: unknown }).AWS),
    actions: listed(statement.Action),
    condition: statement.Condition as { StringEquals: Record<string, unknown> } | undefined,
  }));
  const root = 'arn:<AWS::Partition>:iam::<AWS::AccountId>:root';
  const viaSecretsManager = 'secretsmanager.<AWS::Region>.amazonaws.com';

  it('is used by token to decrypt, by signing-keys to encrypt too, and only through Secrets Manager', () => {
    const uses = statements.filter(({ who }) => who !== root);
    expect(uses.map(({ who, actions }) => [who, actions])).toEqual([
      ['<TokenRole.Arn>', ['kms:Decrypt']],
      ['<RotationRotateRole.Arn>', ['kms:Decrypt', 'kms:GenerateDataKey']],
    ]);
    for (const { condition } of uses) {
      expect(readable(condition?.StringEquals['kms:ViaService'])).toBe(viaSecretsManager);
    }
  });

  it('is looked after by administrators, who can attach it to a secret but not read with it', () => {
    const [administration, attachment, ...others] = statements.filter(({ who }) => who === root);
    expect(others).toEqual([]);
    expect(administration?.actions).toContain('kms:PutKeyPolicy');
    expect(administration?.actions.join()).not.toMatch(/Decrypt|Encrypt|GenerateDataKey|CreateGrant|\*/);
    expect(attachment?.actions).toEqual(['kms:Decrypt', 'kms:GenerateDataKey']);
    expect(attachment?.condition?.StringEquals).toMatchObject({
      'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess',
    });
    expect(readable(attachment?.condition?.StringEquals['kms:ViaService'])).toBe(viaSecretsManager);
  });
});

describe('every policy of the stack', () => {
  const allowed = policyTypes.flatMap((type) =>
    statementsOf(document, type)
      .filter(([, statement]) => statement.Effect === 'Allow')
      .map(([id, statement]): [string, string, Statement] => [type, id, statement]),
  );

  it('allows no wildcard action, no wildcard resource but the uploads, and nothing to everybody', () => {
    expect(allowed.length).toBeGreaterThan(20);
    const wrong = allowed.filter(([type, , { Action, Resource, Principal }]) => {
      // In a key policy, * is the key itself.
      const resources = type === 'AWS::KMS::Key' ? [] : listed(Resource ?? []).map(readable);
      return (
        listed(Action).some((action) => !/^[a-z0-9]+:[A-Za-z]+$/.test(String(action))) ||
        resources.some((resource) => resource !== uploadsOnly && resource.includes('*')) ||
        JSON.stringify(Principal ?? '').includes('"*"')
      );
    });
    expect(wrong).toEqual([]);
  });
});

describe('a dev stack', () => {
  const dev = synthesized({ stage: 'dev' }).document;

  it('has one function more, of the CDK, which empties the bucket when the stack is deleted', () => {
    const functions = (of: typeof dev) => resourcesOf(of, 'AWS::Lambda::Function').map(([id]) => id);
    const more = functions(dev).filter((id) => !functions(document).includes(id));
    expect(more).toEqual([expect.stringMatching(/^CustomS3AutoDeleteObjectsCustomResourceProviderHandler/)]);
  });

  it('allows wildcard actions to nobody but that function, and on the bucket alone', () => {
    const wildcards = policyTypes
      .flatMap((type) => statementsOf(dev, type))
      .filter(
        ([, { Effect, Action }]) =>
          Effect === 'Allow' && listed(Action).some((it) => String(it).includes('*')),
      );
    expect(
      wildcards.map(([, { Action, Principal, Resource }]) => [
        Action,
        Principal,
        listed(Resource).map(readable),
      ]),
    ).toEqual([
      [
        ['s3:PutBucketPolicy', 's3:GetBucket*', 's3:List*', 's3:DeleteObject*'],
        { AWS: { 'Fn::GetAtt': [expect.stringMatching(/^CustomS3AutoDeleteObjects.*Role/), 'Arn'] } },
        ['<UploadsBucket.Arn>', '<UploadsBucket.Arn>/*'],
      ],
    ]);
  });
});

describe('the bucket policy', () => {
  const statements = statementsOf(document, 'AWS::S3::BucketPolicy').map(([, statement]) => statement);

  it('denies a signature older than one hour (docs/api.md 12.2)', () => {
    expect(statements).toContainEqual(
      expect.objectContaining({
        Effect: 'Deny',
        Action: 's3:PutObject',
        Condition: { NumericGreaterThan: { 's3:signatureAge': 3_600_000 } },
      }),
    );
  });

  it('denies it to everybody, for every object of the bucket', () => {
    const [old] = statements.filter(({ Action }) => Action === 's3:PutObject');
    expect(readable(old?.Resource)).toBe('<UploadsBucket.Arn>/*');
    expect(old?.Principal).toEqual({ AWS: '*' });
  });

  it('denies requests without TLS, and allows nothing', () => {
    expect(statements.map(({ Effect }) => Effect)).toEqual(['Deny', 'Deny']);
    expect(JSON.stringify(statements)).toContain('{"Bool":{"aws:SecureTransport":"false"}}');
  });
});
