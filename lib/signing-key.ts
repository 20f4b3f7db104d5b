import { Validations } from 'aws-cdk-lib';
import { AnyPrincipal, Effect, PolicyDocument, PolicyStatement, type Role } from 'aws-cdk-lib/aws-iam';
import { CfnResourcePolicy, CfnSecret } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import { keyStages } from '../storage/signing-keys.ts';
import { allow } from './allow.ts';
import type { Lifecycle } from './lifecycle.ts';
import { SigningKeyEncryption } from './signing-key-encryption.ts';

/**
 * The two secrets of token signing: the private keys, encrypted with a KMS key of their own, and the public key set. They
 * are separate so that functions that verify tokens cannot sign them. The stack creates both without a value, and the
 * `signing-keys` function writes the values. So no private key is ever part of a template or a deployment.
 */
export class SigningKey extends Construct {
  readonly signingKeySecretArn: string;
  readonly signingKeyKmsKeyArn: string;
  readonly keySetSecretArn: string;
  private readonly encryption: SigningKeyEncryption;

  constructor(scope: Construct, id: string, lifecycle: Lifecycle) {
    super(scope, id);
    this.encryption = new SigningKeyEncryption(this, 'Encryption', lifecycle);
    const signingKey = new CfnSecret(this, 'PrivateKeys', {
      description: 'Private keys that sign access tokens',
      kmsKeyId: this.encryption.keyArn,
    });
    const keySet = new CfnSecret(this, 'KeySet', {
      description: 'Public keys that verify access tokens',
    });
    for (const secret of [signingKey, keySet]) {
      secret.applyRemovalPolicy(lifecycle.removalPolicy);
    }
    this.signingKeySecretArn = signingKey.ref;
    this.signingKeyKmsKeyArn = this.encryption.keyArn;
    this.keySetSecretArn = keySet.ref;
    Validations.of(signingKey).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason: 'Rotates on a schedule that the signing-keys function sets during the deployment.',
    });
    Validations.of(keySet).acknowledge({
      id: 'AwsSolutions-SMG4',
      reason:
        'Holds public keys only. It changes with every rotation of the private keys, by the same function.',
    });
  }

  /**
   * Allows reading the private key that currently signs tokens, but no earlier or later key. The condition
   * key is the VersionStage of the request (Service Authorization Reference). A request that names only a
   * version lacks this condition key, and is denied.
   */
  grantReadSigningKey(role: Role): void {
    allow(role, ['secretsmanager:GetSecretValue'], this.signingKeySecretArn, {
      'ForAnyValue:StringEquals': { 'secretsmanager:VersionStage': keyStages.current },
    });
    this.encryption.grantDecrypt(role);
  }

  /** Allows reading the key set, to verify tokens or to publish it. */
  grantReadKeySet(role: Role): void {
    allow(role, ['secretsmanager:GetSecretValue'], this.keySetSecretArn);
  }

  /**
   * Allows changing the private keys and the key set: to create, rotate and revoke keys, and to set their
   * schedule.
   */
  grantRotate(role: Role): void {
    allow(
      role,
      [
        'secretsmanager:DescribeSecret',
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:RotateSecret',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      this.signingKeySecretArn,
    );
    allow(
      role,
      [
        'secretsmanager:GetSecretValue',
        'secretsmanager:PutSecretValue',
        'secretsmanager:UpdateSecretVersionStage',
      ],
      this.keySetSecretArn,
    );
    this.encryption.grantEncryptDecrypt(role);
    this.protectPrivateKeys(role);
  }

  /**
   * Denies other principals the actions that could reveal a private key, or change the key that signs.
   * Deployers keep the permission to change the policy, and to set the stack's KMS key again.
   */
  private protectPrivateKeys(writer: Role): void {
    new CfnResourcePolicy(this, 'PrivateKeysPolicy', {
      secretId: this.signingKeySecretArn,
      resourcePolicy: new PolicyDocument({
        statements: [
          deny(['secretsmanager:PutSecretValue', 'secretsmanager:UpdateSecretVersionStage'], {
            ArnNotEquals: { 'aws:PrincipalArn': writer.roleArn },
            // AWS services have no ARN. Secrets Manager itself begins and ends rotations.
            Bool: { 'aws:PrincipalIsAWSService': 'false' },
          }),
          deny(['secretsmanager:UpdateSecret'], {
            // Excludes a request without a key, which keeps the key: the condition below would also match it.
            Null: { 'secretsmanager:KmsKeyArn': 'false' },
            ArnNotEquals: { 'secretsmanager:KmsKeyArn': this.signingKeyKmsKeyArn },
          }),
        ],
      }),
    });
  }
}

function deny(actions: string[], conditions: PolicyStatement['conditions']): PolicyStatement {
  return new PolicyStatement({
    effect: Effect.DENY,
    principals: [new AnyPrincipal()],
    actions,
    resources: ['*'],
    conditions,
  });
}
