import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
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

/** Makes the first signing keys during the deployment, and rotates them on a schedule. */
export class SigningKeyRotation extends Construct {
  readonly functionName: string;
  /** Created when the first keys exist. Whatever serves requests must depend on it. */
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
      // A deployment is tried for a minute, while IAM and KMS get to know a new stack's role and key.
      timeout: Duration.minutes(2),
      // One invocation at a time. More would be safe, but they would make each other repeat their work.
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

  /** Needs no invocation permission: CloudFormation invokes the function with the permissions of whoever deploys. */
  private makeFirstKey(rotate: ServiceFunction, { configuration }: SigningKeyRotationProps): CustomResource {
    return new CustomResource(this, 'FirstSigningKey', {
      resourceType: 'Custom::FirstSigningKey',
      serviceToken: rotate.function.functionArn,
      // When the lifetime changes, CloudFormation invokes the function. It then adapts how long keys stay published.
      properties: { tokenLifetimeSeconds: configuration.tokenLifetimeSeconds },
      // The default is one hour: a function that cannot answer would hold up the deployment for that long.
      serviceTimeout: Duration.minutes(5),
      // There is nothing to undo, so a rollback or a deletion does not wait for an answer of the function. If the function
      // can't answer, it could not answer that either, and the stack could never be deleted.
      removalPolicy: RemovalPolicy.RETAIN,
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
      // A deployment that changes the schedule must not rotate the keys.
      rotateImmediatelyOnUpdate: false,
    });
    schedule.node.addDependency(this.firstSigningKey, permission);
  }
}
