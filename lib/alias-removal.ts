import { CustomResource, Duration, RemovalPolicy } from 'aws-cdk-lib';
import { Construct } from 'constructs';
import type { Configuration } from './configuration.ts';
import type { Lifecycle } from './lifecycle.ts';
import { backgroundFunction, reserved, ServiceFunction } from './service-function.ts';

export interface AliasRemovalProps {
  readonly lifecycle: Lifecycle;
  readonly configuration: Configuration;
}

/**
 * Waits before the aliases are removed. API Gateway deploys a changed integration by itself, after CloudFormation has
 * changed it, and meanwhile requests are still sent to the aliases. CloudFormation removes first what depends on other
 * resources, so this construct must depend on the aliases and on the permissions to invoke them.
 */
export class AliasRemoval extends Construct {
  constructor(scope: Construct, id: string, { lifecycle, configuration }: AliasRemovalProps) {
    super(scope, id);
    const removal = new ServiceFunction(this, 'Wait', {
      name: 'alias-removal',
      description: 'Waits until requests have left the aliases that are removed',
      // Its log says only that it waited. A log that is retained would stay behind each time the setting is switched off.
      lifecycle: { ...lifecycle, removalPolicy: RemovalPolicy.DESTROY },
      ...backgroundFunction,
      // Time for a wait of a minute, and for three attempts to answer.
      timeout: Duration.minutes(2),
      reservedConcurrency: reserved(1, configuration),
      environment: {},
    });
    new CustomResource(this, 'AliasRemoval', {
      resourceType: 'Custom::AliasRemoval',
      serviceToken: removal.function.functionArn,
      // The default is one hour: a function that cannot answer would hold up the deployment for that long.
      serviceTimeout: Duration.minutes(5),
    });
  }
}
