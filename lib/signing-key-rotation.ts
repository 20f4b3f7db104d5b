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

/**
 * Timeout that covers about a minute of retries for new permissions, the test of the schedule, and the
 * response.
 */
const timeout = Duration.minutes(3);

/** Creates the first signing keys during the deployment, and their rotation schedule. */
export class SigningKeyRotation extends Construct {
  readonly function: LambdaFunction;
  /** Created when the first keys exist and rotate. Resources that serve requests must depend on it. */
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

  /**
   * Creates the first keys without an invocation permission: CloudFormation invokes the function with the
   * permissions of the deployer.
   */
  private makeFirstKey(rotate: ServiceFunction, { configuration }: SigningKeyRotationProps): CustomResource {
    return new CustomResource(this, 'FirstSigningKey', {
      resourceType: 'Custom::FirstSigningKey',
      serviceToken: rotate.function.functionArn,
      // A change of one of these properties invokes the function. It then adapts the schedule, and the time
      // for which keys stay published.
      properties: {
        tokenLifetimeSeconds: configuration.tokenLifetimeSeconds,
        signingKeyRotationDays: configuration.signingKeyRotationDays,
      },
      // The default is one hour: a function that cannot respond would delay the deployment by an hour.
      serviceTimeout: Duration.minutes(5),
      // A rollback or a deletion needs no undo, so it does not wait for a response of the function. If the
      // stack waited for a function that can't respond, the stack could never be deleted.
      removalPolicy: RemovalPolicy.RETAIN,
    });
  }

  /**
   * Lets the function invoke itself. The caller that sets a schedule needs the permission to invoke its
   * function (API reference, RotateSecret), and here the function sets the schedule itself
   * (docs/decisions/0013). The permission is a separate policy: the function depends on the policy of its
   * role, so that policy cannot name the function.
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
