import { CustomResource, Duration, Stack } from 'aws-cdk-lib';
import { CfnRotationSchedule } from 'aws-cdk-lib/aws-secretsmanager';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { Lifecycle } from './lifecycle.ts';
import { backgroundFunction, reserved, ServiceFunction } from './service-function.ts';
import type { SigningKey } from './signing-key.ts';

export interface SigningKeyRotationProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly signingKey: SigningKey;
}

/** Makes the first signing key during the deployment, and a new one on schedule. */
export class SigningKeyRotation extends Construct {
  readonly functionName: string;
  /** Exists when there is a key to sign with: what takes requests depends on it. */
  readonly firstSigningKey: CustomResource;

  constructor(scope: Construct, id: string, props: SigningKeyRotationProps) {
    super(scope, id);
    const rotate = this.rotationFunction(props);
    this.functionName = rotate.function.functionName;
    this.firstSigningKey = this.makeFirstKey(rotate, props);
    this.schedule(rotate, props);
  }

  private rotationFunction({
    lifecycle,
    configuration,
    signingKey,
  }: SigningKeyRotationProps): ServiceFunction {
    const rotate = new ServiceFunction(this, 'Rotate', {
      name: 'signing-keys',
      description: 'Makes and changes the keys that sign access tokens',
      lifecycle,
      ...backgroundFunction,
      // A rotation and a revocation at the same time lose time to each other, never a write.
      reservedConcurrency: reserved(1, configuration),
      environment: {
        signingKeySecretArn: signingKey.signingKeySecretArn,
        keySetSecretArn: signingKey.keySetSecretArn,
        signingAlgorithm: configuration.signingAlgorithm,
        tokenLifetimeSeconds: String(configuration.tokenLifetimeSeconds),
      },
    });
    signingKey.grantRotate(rotate.role);
    return rotate;
  }

  /** CloudFormation invokes the function with the permissions of whoever deploys, so it needs none of its own. */
  private makeFirstKey(rotate: ServiceFunction, { configuration }: SigningKeyRotationProps): CustomResource {
    return new CustomResource(this, 'FirstSigningKey', {
      resourceType: 'Custom::FirstSigningKey',
      serviceToken: rotate.function.functionArn,
      // A change of it invokes the function, which then keeps keys published for as long as their tokens live.
      properties: { tokenLifetimeSeconds: configuration.tokenLifetimeSeconds },
      // Without it, a function that can't answer holds the deployment for an hour.
      serviceTimeout: Duration.minutes(5),
    });
  }

  private schedule(rotate: ServiceFunction, { configuration, signingKey }: SigningKeyRotationProps): void {
    const permission = rotate.allowInvocation('SecretsManager', {
      service: 'secretsmanager.amazonaws.com',
      sourceAccount: Stack.of(this).account,
    });
    const schedule = new CfnRotationSchedule(this, 'Schedule', {
      secretId: signingKey.signingKeySecretArn,
      rotationLambdaArn: rotate.function.functionArn,
      rotationRules: { automaticallyAfterDays: configuration.signingKeyRotationDays },
      // A deployment that changes the schedule must not change the key as well.
      rotateImmediatelyOnUpdate: false,
    });
    schedule.node.addDependency(this.firstSigningKey, permission);
  }
}
