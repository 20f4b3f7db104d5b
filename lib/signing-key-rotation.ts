import { CustomResource, Duration, RemovalPolicy, Stack } from 'aws-cdk-lib';
import { Policy, PolicyStatement } from 'aws-cdk-lib/aws-iam';
import type { Function as LambdaFunction } from 'aws-cdk-lib/aws-lambda';
import { Construct, DependencyGroup, type IDependable } from 'constructs';
import type { Lifecycle } from './lifecycle.ts';
import { backgroundFunction, ServiceFunction } from './service-function.ts';
import type { Configuration } from './settings.ts';
import type { SigningKey } from './signing-key.ts';

export interface SigningKeyRotationProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
  readonly signingKey: SigningKey;
}

/** Time for about a minute of patience with permissions that are new, the test of the schedule, and the response. */
const timeout = Duration.minutes(3);

/** Makes the first signing keys during the deployment, and has them rotated on a schedule. */
export class SigningKeyRotation extends Construct {
  readonly function: LambdaFunction;
  /** Created when the first keys exist and rotate. Whatever serves requests must depend on it. */
  readonly firstSigningKey: CustomResource;

  constructor(scope: Construct, id: string, props: SigningKeyRotationProps) {
    super(scope, id);
    const rotate = this.rotationFunction(props);
    this.function = rotate.function;
    this.firstSigningKey = this.makeFirstKey(rotate, props);
    this.firstSigningKey.node.addDependency(this.allowSchedule(rotate));
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
      timeout,
      environment: {
        signingKeySecretArn: signingKey.signingKeySecretArn,
        signingKeyKmsKeyArn: signingKey.signingKeyKmsKeyArn,
        keySetSecretArn: signingKey.keySetSecretArn,
        signingAlgorithm: configuration.signingAlgorithm,
        signingKeyRotationDays: String(configuration.signingKeyRotationDays),
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
      // When one of these changes, CloudFormation invokes the function. It then adapts how long keys stay published, and
      // the schedule.
      properties: {
        tokenLifetimeSeconds: configuration.tokenLifetimeSeconds,
        signingKeyRotationDays: configuration.signingKeyRotationDays,
      },
      // The default is one hour: a function that cannot answer would hold up the deployment for that long.
      serviceTimeout: Duration.minutes(5),
      // There is nothing to undo, so a rollback or a deletion does not wait for a response of the function. If the stack
      // waited for a function that can't answer, the stack could never be deleted.
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /**
   * Whoever sets a schedule needs the right to invoke its function (API reference, RotateSecret). Here the function
   * sets the schedule itself (docs/decisions/0013). Its right to invoke itself is a separate policy: the function
   * depends on the policy of its role, so that policy cannot name the function.
   */
  private allowSchedule(rotate: ServiceFunction): IDependable {
    const statement = new PolicyStatement({
      actions: ['lambda:InvokeFunction'],
      resources: [rotate.function.functionArn],
    });
    const policy = new Policy(this, 'SchedulePolicy', { roles: [rotate.role], statements: [statement] });
    const permission = rotate.allowInvocation('SecretsManager', {
      service: 'secretsmanager.amazonaws.com',
      sourceAccount: Stack.of(this).account,
    });
    return new DependencyGroup(policy, permission);
  }
}
