import type { Construct } from 'constructs';
import { HttpFunction, type HttpFunctionProps } from './http-function.ts';

/** Publishes discovery, the key set and the API description. */
export class WellKnownFunction extends HttpFunction {
  constructor(scope: Construct, id: string, props: HttpFunctionProps) {
    const { signingKey } = props;
    super(scope, id, props, {
      name: 'well-known',
      description: 'Publishes discovery, the key set and the API description',
      environment: { keySetSecretArn: signingKey.keySetSecretArn },
    });
    signingKey.grantReadKeySet(this.role);
  }
}
