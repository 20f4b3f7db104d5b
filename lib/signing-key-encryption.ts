import { Duration, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle.ts';

/** Everything that looks after a key. Nothing that encrypts or decrypts with it. */
const administration = [
  'kms:CancelKeyDeletion',
  'kms:DescribeKey',
  'kms:DisableKey',
  'kms:EnableKey',
  'kms:EnableKeyRotation',
  'kms:GetKeyPolicy',
  'kms:GetKeyRotationStatus',
  'kms:ListGrants',
  'kms:ListKeyPolicies',
  'kms:ListKeyRotations',
  'kms:ListResourceTags',
  'kms:PutKeyPolicy',
  'kms:RevokeGrant',
  'kms:RotateKeyOnDemand',
  'kms:ScheduleKeyDeletion',
  'kms:TagResource',
  'kms:UntagResource',
  'kms:UpdateKeyDescription',
];

/**
 * The KMS key under which the private signing keys are stored. Its policy alone decides who uses it, whatever an
 * identity policy says: an administrator of the account can look after the key, but can't read with it.
 */
export class SigningKeyEncryption extends Construct {
  readonly keyArn: string;
  private readonly key: Key;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    this.key = new Key(this, 'Key', {
      description: 'Encrypts the private keys that sign access tokens',
      enableKeyRotation: true,
      pendingWindow: Duration.days(lifecycle.deletionProtection ? 30 : 7),
      removalPolicy: lifecycle.removalPolicy,
      policy: new PolicyDocument({ statements: [administrationStatement(), this.attachmentStatement()] }),
    });
    this.keyArn = this.key.keyArn;
  }

  /** Decrypt secrets that Secrets Manager stores under this key. */
  grantDecrypt(role: Role): void {
    this.allowThroughSecretsManager(role, ['kms:Decrypt']);
  }

  /** Write secrets that Secrets Manager stores under this key, and read them. */
  grantEncryptDecrypt(role: Role): void {
    this.allowThroughSecretsManager(role, ['kms:Decrypt', 'kms:GenerateDataKey']);
  }

  private allowThroughSecretsManager(role: Role, actions: string[]): void {
    this.key.addToResourcePolicy(
      new PolicyStatement({
        principals: [role],
        actions,
        resources: ['*'],
        conditions: { StringEquals: { 'kms:ViaService': this.secretsManager } },
      }),
    );
  }

  /**
   * Whoever deploys must be able to put a secret under the key. Secrets Manager tries that with a version of its
   * own name, so that permission to try is no permission to read ("Secret encryption and decryption", How Secrets
   * Manager uses your KMS key).
   */
  private attachmentStatement(): PolicyStatement {
    return new PolicyStatement({
      principals: [new AccountRootPrincipal()],
      actions: ['kms:Decrypt', 'kms:GenerateDataKey'],
      resources: ['*'],
      conditions: {
        StringEquals: {
          'kms:ViaService': this.secretsManager,
          'kms:EncryptionContext:SecretVersionId': 'RequestToValidateKeyAccess',
        },
      },
    });
  }

  private get secretsManager(): string {
    return `secretsmanager.${Stack.of(this).region}.amazonaws.com`;
  }
}

/** In a key policy, the resource `*` is the key itself (KMS, "Key policies in AWS KMS"). */
function administrationStatement(): PolicyStatement {
  return new PolicyStatement({
    principals: [new AccountRootPrincipal()],
    actions: administration,
    resources: ['*'],
  });
}
