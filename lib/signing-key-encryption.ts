import { Duration, Stack } from 'aws-cdk-lib';
import { AccountRootPrincipal, PolicyDocument, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { Key } from 'aws-cdk-lib/aws-kms';
import { Construct } from 'constructs';
import type { Lifecycle } from './lifecycle.ts';

/** Actions that administer a key. None of them encrypts or decrypts. */
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
 * The KMS key that encrypts the private signing keys. Only its key policy decides who may use it; identity policies
 * cannot add permissions. An administrator of the account can administer the key, but cannot decrypt with it.
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

  /** Allows reading secrets that Secrets Manager encrypts with this key. */
  grantDecrypt(role: Role): void {
    this.allowThroughSecretsManager(role, ['kms:Decrypt']);
  }

  /** Allows reading and writing secrets that Secrets Manager encrypts with this key. */
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
   * Allows deployers to choose this key for a secret. Secrets Manager checks that permission with a reserved
   * version id, which no secret uses. So this statement does not allow reading a secret ("Secret encryption
   * and decryption", How Secrets Manager uses your KMS key).
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

  /**
   * Amazon's page names one suffix for all partitions, but each partition may use its own: docs/aws-facts.md,
   * `kms-via-service`.
   */
  private get secretsManager(): string[] {
    return ['amazonaws.com', Stack.of(this).urlSuffix].map(
      (suffix) => `secretsmanager.${Stack.of(this).region}.${suffix}`,
    );
  }
}

/** Lets the account administer the key. In a key policy, `*` means the key itself (KMS, "Key policies in AWS KMS"). */
function administrationStatement(): PolicyStatement {
  return new PolicyStatement({
    principals: [new AccountRootPrincipal()],
    actions: administration,
    resources: ['*'],
  });
}
